/**
 * Counted calls that change: what each has added to sums, pieces, keys, sources, rates and its run is taken away, and what it adds as
 * it is now is added, in the transaction that changes its event, under the Mandant's counting lock. Why one changes, and what is new
 * of it, is said by who asks; one of which nothing is to be left goes with its event.
 */
import { setImmediate } from 'node:timers/promises';
import type pg from 'pg';
import { isoOf } from '#kernel/microseconds.ts';
import { textOf, USD_SCALE } from '#kernel/money.ts';
import { type Changeable, type CountedRow, changedEvent, readAsCounted } from './counted-row.ts';
import { readKeptOf } from './kept-values.ts';
import { KeySums } from './key-sums.ts';
import { Merkmale, type MerkmalStand } from './merkmale.ts';
import { type CountedEvent, isBurnt } from './normalise.ts';
import { Runs, type RunTotal, Span } from './runs.ts';
import { SourceSums } from './source-sums.ts';
import { Sums } from './sums/sums.ts';
import { addToCounted } from './write/write.ts';

/** What the locked row of `zaehlstaende` says. */
export type Stand = MerkmalStand & {
  marken: number;
  gefuehrt: number;
  quellen: string[];
};

const LOCK =
  'SELECT marken, gefuehrt, quellen, merkmale_anzahl, merkmale_marke FROM zaehlstaende WHERE mandant_id = $1 FOR UPDATE';

/** The last day (UTC) whose calls do not change any more, as SQL: they are removed, or will be; null where all are kept. */
export const CHANGES_UNTIL = "(SELECT (annahme_ab AT TIME ZONE 'UTC')::date FROM aufbewahrung)";

/** Takes the counting lock of a Mandant; null when it has been removed. */
export async function lockCounting(client: pg.ClientBase, mandant: string): Promise<Stand | null> {
  const { rows } = await client.query<Stand>(LOCK, [mandant]);
  return rows[0] ?? null;
}

/** A counted call, and what is new of it; null: it goes. */
export interface CallChange {
  row: CountedRow;
  now: Partial<Changeable> | null;
}

/** The same call before and after. */
interface Changed {
  row: CountedRow;
  before: CountedEvent;
  after: CountedEvent | null;
}

// ── events ──────────────────────────────────────────────────────────────────────────────────────────────────

const UPDATE = `UPDATE ereignisse e SET kosten_usd = n.usd, preis_quelle = n.quelle, teilbepreist = n.teil,
    kurs_usd_eur = n.kurs, ersatzkurs = n.ersatz, wiederholung = n.wiederholung
  FROM unnest($2::uuid[], $3::timestamptz[], $6::numeric[], $7::text[], $8::boolean[], $9::numeric[], $10::boolean[], $11::boolean[])
    AS n (id, zeitpunkt, usd, quelle, teil, kurs, ersatz, wiederholung)
  WHERE e.mandant_id = $1 AND e.zeitpunkt = n.zeitpunkt AND e.ereignis_id = n.id AND e.zeitpunkt >= $4 AND e.zeitpunkt <= $5`;
const DELETE = `DELETE FROM ereignisse e USING unnest($2::uuid[], $3::timestamptz[]) AS n (id, zeitpunkt)
  WHERE e.mandant_id = $1 AND e.zeitpunkt = n.zeitpunkt AND e.ereignis_id = n.id AND e.zeitpunkt >= $4 AND e.zeitpunkt <= $5`;
const FORGET_IDS = 'DELETE FROM ereignis_kennungen WHERE mandant_id = $1 AND ereignis_id = ANY($2::uuid[])';
const FEWER = 'UPDATE zaehlstaende SET ereignisse_gesamt = ereignisse_gesamt - $2 WHERE mandant_id = $1';

/** Mandant, ids and times of these calls, and the first and last of the times: months outside are left out. */
function placesOf(mandant: string, changed: readonly Changed[]): unknown[] {
  const span = new Span();
  for (const { before } of changed) span.add(before);
  const ids = changed.map(({ row }) => row.ereignis_id);
  const times = changed.map(({ row }) => row.zeitpunkt);
  return [mandant, ids, times, span.von && isoOf(span.von), span.bis && isoOf(span.bis)];
}

async function updateEvents(
  client: pg.PoolClient,
  mandant: string,
  changed: readonly Changed[],
): Promise<void> {
  const events = changed.flatMap(({ after }) => after ?? []);
  if (events.length === 0) return;
  await client.query(UPDATE, [
    ...placesOf(
      mandant,
      changed.filter(({ after }) => after),
    ),
    events.map(({ usd }) => (usd === null ? null : textOf(usd, USD_SCALE))),
    events.map(({ preisQuelle }) => preisQuelle),
    events.map(({ teilbepreist }) => teilbepreist),
    events.map(({ kurs }) => kurs.text),
    events.map(({ kurs }) => kurs.ersatz),
    events.map(({ wiederholung }) => wiederholung),
  ]);
}

async function removeEvents(
  client: pg.PoolClient,
  mandant: string,
  changed: readonly Changed[],
): Promise<void> {
  const gone = changed.filter(({ after }) => after === null);
  if (gone.length === 0) return;
  await client.query(DELETE, placesOf(mandant, gone));
  await client.query(FORGET_IDS, [mandant, gone.map(({ row }) => row.ereignis_id)]);
  await client.query(FEWER, [mandant, gone.length]);
}

// ── runs and rates, beyond what adds up ─────────────────────────────────────────────────────────────────────

const FORGET_RUNS = 'DELETE FROM laeufe WHERE mandant_id = $1 AND lauf_id = ANY($2::uuid[]) AND aufrufe = 0';
/** First and last call are those that are left, and what a run is by them. */
const LEFT = `UPDATE laeufe l SET beginn = e.beginn, ende = e.ende, fertig_ms = e.fertig, status = e.status,
    letzter_schritt = e.schritt, agent = e.agent, endkunde_ref = e.endkunde
  FROM (SELECT lauf_id, min(zeitpunkt) AS beginn, max(zeitpunkt) AS ende,
      max(floor(extract(epoch FROM zeitpunkt) * 1000)::bigint + coalesce(latenz_ms, 0)) AS fertig,
      (array_agg(status ORDER BY zeitpunkt DESC, coalesce(schritt_nr, -1) DESC))[1] AS status,
      (array_agg(schritt_nr ORDER BY zeitpunkt DESC, coalesce(schritt_nr, -1) DESC))[1] AS schritt,
      (array_agg(agent ORDER BY zeitpunkt))[1] AS agent,
      (array_agg(endkunde_ref ORDER BY zeitpunkt) FILTER (WHERE endkunde_ref IS NOT NULL))[1] AS endkunde
    FROM ereignisse WHERE mandant_id = $1 AND lauf_id = ANY($2::uuid[])
      AND zeitpunkt >= (SELECT min(beginn) FROM laeufe WHERE mandant_id = $1 AND lauf_id = ANY($2::uuid[]))
      AND zeitpunkt <= (SELECT max(ende) FROM laeufe WHERE mandant_id = $1 AND lauf_id = ANY($2::uuid[]))
    GROUP BY lauf_id) AS e
  WHERE l.mandant_id = $1 AND l.lauf_id = e.lauf_id`;
// A run none of whose calls has a price has no cost; what is added up cannot tell that from nothing.
const NO_COST = `UPDATE laeufe SET kosten_usd = NULL, kosten_eur = NULL
  WHERE mandant_id = $1 AND lauf_id = ANY($2::uuid[]) AND unbepreist = aufrufe`;
const NO_RATE =
  'DELETE FROM verbrauch_kurs WHERE mandant_id = $1 AND stunde = ANY($2::timestamptz[]) AND aufrufe = 0';

const runsOf = (changed: readonly Changed[]) => [
  ...new Set(changed.flatMap(({ before }) => before.lauf ?? [])),
];

async function settle(client: pg.PoolClient, mandant: string, changed: readonly Changed[]): Promise<void> {
  const gone = runsOf(changed.filter(({ after }) => after === null));
  if (gone.length > 0)
    for (const statement of [FORGET_RUNS, LEFT]) await client.query(statement, [mandant, gone]);
  const unpriced = runsOf(
    changed.filter(({ before, after }) => before.usd !== null && (after?.usd ?? null) === null),
  );
  if (unpriced.length > 0) await client.query(NO_COST, [mandant, unpriced]);
  const moved = changed.filter(({ before, after }) => before.kurs.text !== after?.kurs.text);
  const hours = [...new Set(moved.map(({ before }) => before.stunde))];
  if (hours.length > 0) await client.query(NO_RATE, [mandant, hours]);
}

// ── sums ────────────────────────────────────────────────────────────────────────────────────────────────────

/** Calls between two turns of whatever else waits for the thread. */
const AT_ONCE = 500;

/** Whether the call adds what it did: a repeat that has failed as well, or whose cost is unknown, burns nothing more. */
const addsTheSame = ({ before, after }: Changed): boolean =>
  after !== null &&
  after.usd === before.usd &&
  after.teilbepreist === before.teilbepreist &&
  after.kurs === before.kurs &&
  (after.usd === null || isBurnt(after) === isBurnt(before));

/** Whether anything changes that rules see of a run: burnt money is not. */
const isSeen = ({ aufrufe, unbepreist, teilbepreist, usd, eur }: RunTotal): boolean =>
  aufrufe !== 0 || unbepreist !== 0 || teilbepreist !== 0 || Boolean(usd) || Boolean(eur);

async function addDifferences(
  client: pg.PoolClient,
  mandant: string,
  stand: Stand,
  changed: readonly Changed[],
): Promise<void> {
  const sums = new Sums(Date.now(), await readKeptOf(client, mandant, stand));
  const keys = new KeySums();
  const ofSources = new SourceSums();
  const runs = new Runs();
  for (const [index, { before, after }] of changed.entries()) {
    if (index % AT_ONCE === AT_ONCE - 1) await setImmediate();
    for (const each of [sums, keys, ofSources, runs]) {
      each.add(before, -1);
      if (after) each.add(after);
    }
  }
  const [resolved] = await new Merkmale().resolve(client, [{ mandant, values: sums.values, stand }]);
  if (!resolved) throw new Error('nothing was resolved');
  const sources = ofSources.within(stand.quellen, 0);
  const totals = [...runs.totals.values()];
  const part = {
    ...{ mandant, sums, keys, sources, resolved },
    runs: totals,
    marken: stand.marken,
  };
  await addToCounted(client, [part], totals.some(isSeen));
  Object.assign(stand, resolved.fresh?.stand);
  stand.marken += 1;
}

/** Changes counted calls. The caller holds the counting lock; `stand` is what it says afterwards, too. */
export async function changeCalls(
  client: pg.PoolClient,
  mandant: string,
  stand: Stand,
  changes: readonly CallChange[],
): Promise<void> {
  if (changes.length === 0) return;
  const asCounted = await readAsCounted(client, mandant);
  const changed = changes.map(({ row, now }): Changed => {
    const before = asCounted(row);
    return { row, before, after: now && changedEvent(before, now) };
  });
  await updateEvents(client, mandant, changed);
  await removeEvents(client, mandant, changed);
  const different = changed.filter((each) => !addsTheSame(each));
  if (different.length === 0) return;
  await addDifferences(client, mandant, stand, different);
  await settle(client, mandant, different);
}
