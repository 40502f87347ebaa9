/** Calls that came although an intervention should have kept them from happening. */
import type pg from 'pg';
import type { Objektart } from '#contracts';
import { notifyAsOwner, RUN_ENDS_MS } from '#domains/eingriffe/index.ts';
import { mandantId } from '#kernel/mandant-id.ts';
import type { Candidate } from '../candidate.ts';
import { type MarksOfMandant, RUNS_OF_MARKS, runsOfMarks } from './marks.ts';

/** An intervention that is in force. */
export interface Order {
  mandant_id: string;
  eingriff_id: string;
  stufe: 'anhalten' | 'sperren';
  objekt_art: Objektart;
  objekt: string;
  agent: string | null;
  beginn: string;
  bis: string | null;
  missachtet: string | number;
}

/** A call that was under way, or whose sender could not know yet. */
const GRACE_SECONDS = 10;
/** Beyond it nobody wants to know how many. */
const MOST = 10_000;

// Of those about single runs, which may be many, only those about runs that the marks are about.
const IN_FORCE = `SELECT mandant_id, eingriff_id, stufe, objekt_art, objekt, agent, beginn, bis, missachtet FROM eingriffe e
  WHERE mandant_id = ANY ($1::uuid[]) AND aufgehoben_am IS NULL AND NOT schatten AND stufe IN ('anhalten', 'sperren')
    AND coalesce(bis, 'infinity') > $3 AND beginn < $4
    AND (objekt_art <> 'lauf' OR (mandant_id, objekt) IN (SELECT mandant_id, lauf_id::text FROM ${RUNS_OF_MARKS}))
  ORDER BY mandant_id, eingriff_id DESC`;

const COLUMNS: Record<Exclude<Objektart, 'lauf' | 'mandant'>, string> = {
  agent: 'agent',
  projekt: 'projekt',
  endkunde: 'endkunde_ref',
  funktion: 'funktion_ref',
  modell: 'modell',
  benutzer: 'benutzer_ref',
  schluessel: 'schluessel_id::text',
};

function statementFor({ objekt_art: art, stufe }: Order): string {
  const whose =
    art === 'mandant'
      ? '$3::text IS NOT NULL'
      : art === 'lauf'
        ? 'e.lauf_id = $3::uuid'
        : `e.${COLUMNS[art]} = $3`;
  // Stopping an agent means the runs that had begun.
  const begun =
    stufe === 'anhalten' && art !== 'lauf'
      ? `AND EXISTS (SELECT FROM laeufe l WHERE l.mandant_id = $1 AND l.lauf_id = e.lauf_id AND l.beginn <= $4)`
      : 'AND $4::timestamptz IS NOT NULL';
  return `SELECT count(*)::int AS anzahl, max(zeitpunkt) AS letzter FROM (
    SELECT e.zeitpunkt FROM ereignisse e
    WHERE e.mandant_id = $1 AND e.zeitpunkt > $2 AND ${whose} ${begun} LIMIT ${MOST}) AS spaeter`;
}

const after = (instant: string): Date => new Date(Date.parse(instant) + GRACE_SECONDS * 1_000);

/** Whether the marks can be about calls that the order forbids: by agent, where it is about one. */
const mayConcern = ({ agent, beginn }: Order, { agenten, aufrufe_am }: MarksOfMandant): boolean =>
  agenten.some(
    (each, index) =>
      (agent === null || each === agent) && Date.parse(aufrufe_am[index] as string) > after(beginn).getTime(),
  );

/** Orders that were looked at lately, with when (on the monotonic clock); the calls since then are many, and go on. */
export type LookedAt = Map<string, number>;
const PAUSE_MS = 5_000;
/** Of what is not about one agent all calls have to be looked through. */
const LONG_PAUSE_MS = 60_000;
const MAX_REMEMBERED = 10_000;

function isDue({ eingriff_id, agent }: Order, lookedAt: LookedAt): boolean {
  const now = performance.now();
  const before = lookedAt.get(eingriff_id) ?? Number.NEGATIVE_INFINITY;
  if (now - before < (agent === null ? LONG_PAUSE_MS : PAUSE_MS)) return false;
  if (lookedAt.size >= MAX_REMEMBERED) lookedAt.clear();
  lookedAt.set(eingriff_id, now);
  return true;
}

/** The orders in force that the marks can be about, the newest first, but for those that senders cannot know yet. */
export async function readOrders(
  client: pg.PoolClient,
  groups: readonly MarksOfMandant[],
  now: Date,
): Promise<Order[]> {
  const known = new Date(now.getTime() - GRACE_SECONDS * 1_000);
  const { rows } = await client.query<Order>(IN_FORCE, [...runsOfMarks(groups), now, known]);
  return rows;
}

/** Those of a Mandant's orders that may have been disobeyed since they were last looked at, which they are from now on. */
export const ordersToLookAt = (orders: Order[], group: MarksOfMandant, lookedAt: LookedAt): Order[] =>
  orders.filter((order) => mayConcern(order, group) && isDue(order, lookedAt));

// A run that goes on calling has not ended: neither has what was ordered about it.
const DISOBEYED = `UPDATE eingriffe SET missachtet = $3, bis = CASE WHEN bis < $4 THEN $4 ELSE bis END
  WHERE mandant_id = $1 AND eingriff_id = $2`;

/** When a run that last called then has ended; null for what is about anything else. */
const endOfRunOf = ({ objekt_art: art }: Order, letzter: string | null): Date | null =>
  art !== 'lauf' || letzter === null ? null : new Date(Date.parse(letzter) + RUN_ENDS_MS);

/** Findings about calls that came after an order was in force; what the orders say of themselves is brought up to date. */
export async function findDisobeyed(
  client: pg.PoolClient,
  mandant: string,
  orders: Order[],
): Promise<Candidate[]> {
  const found: Candidate[] = [];
  for (const order of orders) {
    const counted = await client.query<{ anzahl: number; letzter: string | null }>(statementFor(order), [
      mandant,
      after(order.beginn),
      order.objekt,
      order.beginn,
    ]);
    const [later] = counted.rows;
    if (!later || later.anzahl === 0 || later.anzahl === Number(order.missachtet)) continue;
    await client.query(DISOBEYED, [
      mandant,
      order.eingriff_id,
      later.anzahl,
      endOfRunOf(order, later.letzter),
    ]);
    found.push(toCandidate(order, later.anzahl, later.letzter));
  }
  if (found.length > 0) await notifyAsOwner(client, mandantId(mandant));
  return found;
}

const toCandidate = (order: Order, aufrufe: number, letzter: string | null): Candidate => ({
  regel: null,
  objektArt: order.objekt_art,
  objekt: order.objekt,
  agent: order.agent,
  lauf: order.objekt_art === 'lauf' ? order.objekt : null,
  fensterBeginn: order.beginn,
  teil: order.eingriff_id,
  werte: { aufrufe, eingriff_id: order.eingriff_id, stufe: order.stufe, bis: letzter },
  kostenEur: null,
  verbranntEur: null,
  potentialEur: null,
});
