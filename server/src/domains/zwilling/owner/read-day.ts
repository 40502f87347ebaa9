/**
 * Reads a local day: which of its calls would not have been made, or would have cost less, and why. Each call is given to one cause,
 * and what it saves is what it cost at most. Runs as the owner, in a transaction of its own.
 */
import type pg from 'pg';
import { REGELTYP_NAMEN, REGELTYPEN, typesOfCause, URSACHEN } from '#contracts';
import {
  type Calls,
  callsOf,
  type DetectedRule,
  isOfCause,
  type Look,
  overCalls,
  prepare,
} from '#domains/detektoren/index.ts';
import type { PriceList } from '#domains/preise/index.ts';
import { minutesOf, type RegelVon, readActiveRules } from '#domains/regeln/index.ts';
import type { Selected } from '#jobs/index.ts';
import { placeOf } from '../rules.ts';
import { addStopped } from './stopped.ts';
import { prepareTables } from './tables.ts';

export interface OpenDay extends Selected {
  mandant_id: string;
  zeitzone: string;
  tag: string;
  /** State of its calls. */
  geaendert: string;
}

const DAY_MINUTES = 1_440;

/** How far calls of a storm may lie from one another: it may have begun before midnight, or be one only after it. */
const reachOf = (rules: DetectedRule[]): number =>
  Math.max(
    0,
    ...rules
      .filter((rule) => isOfCause(rule, 'fehlversuche'))
      .map(({ zeitfenster }) => Math.min(minutesOf(zeitfenster ?? '') ?? DAY_MINUTES, DAY_MINUTES)),
  );

// Taken first: another reader of the same day waits. What is counted or found meanwhile opens it again.
const NOTE = `INSERT INTO zwilling_tage (mandant_id, tag, geaendert, gelesen_am) VALUES ($1, $2, $3, $4)
  ON CONFLICT (mandant_id, tag) DO UPDATE SET geaendert = excluded.geaendert, gelesen_am = excluded.gelesen_am`;
const NOW = 'SELECT now() AS now';

const FINDINGS = `INSERT INTO zwilling_befunde
  SELECT befund_id, typ, regel_id, objekt, lauf_id, fenster_beginn, (werte->>'bis')::timestamptz FROM befunde
  WHERE mandant_id = $1 AND typ = ANY ($4) AND status IN ('offen', 'erledigt')
    AND fenster_beginn < $3 AND coalesce((werte->>'bis')::timestamptz, 'infinity') >= $2`;
const RULES = `SELECT DISTINCT regel_id FROM zwilling_befunde WHERE regel_id IS NOT NULL`;

const REPEATS = `INSERT INTO zwilling_aufrufe
  SELECT e.ereignis_id, e.zeitpunkt, $4, b.befund_id, b.beginn, e.agent, e.kosten_eur, e.kosten_eur
  FROM ereignisse e JOIN zwilling_befunde b ON b.lauf_id = e.lauf_id AND b.typ = ANY ($5::text[])
  WHERE e.mandant_id = $1 AND e.zeitpunkt >= $2 AND e.zeitpunkt < $3 AND e.wiederholung`;

const CLEAR = 'DELETE FROM zwilling_ersparnisse WHERE mandant_id = $1 AND tag = $2';
// Of several findings the latest that had begun. A saving is never more than the cost, and never less than nothing.
const WRITE = `INSERT INTO zwilling_ersparnisse (mandant_id, tag, ursache, befund_id, agent, aufrufe, unbekannt, gespart_eur)
  SELECT $1::uuid, $2::date, ($3::text[])[ursache], befund_id, agent, count(*),
    count(*) FILTER (WHERE eur IS NULL OR kosten_eur IS NULL),
    sum(greatest(least(eur, kosten_eur), 0)) FILTER (WHERE eur IS NOT NULL AND kosten_eur IS NOT NULL)
  FROM (SELECT DISTINCT ON (ereignis_id) * FROM zwilling_aufrufe
    ORDER BY ereignis_id, ursache, beginn > zeitpunkt, beginn DESC, befund_id) AS einmal
  GROUP BY ursache, befund_id, agent`;

interface Day {
  client: pg.PoolClient;
  mandant: string;
  zone: string;
  von: Temporal.Instant;
  bis: Temporal.Instant;
}

function dayOf(client: pg.PoolClient, { mandant_id, zeitzone, tag }: OpenDay): Day {
  const day = Temporal.PlainDate.from(tag);
  const begins = [day, day.add({ days: 1 })].map((at) => at.toZonedDateTime(zeitzone).toInstant());
  const [von, bis] = begins as [Temporal.Instant, Temporal.Instant];
  return { client, mandant: mandant_id, zone: zeitzone, von, bis };
}

/** Types whose findings show a cause; calls after a stop are known by the intervention, whatever the type. */
const SHOWING = REGELTYP_NAMEN.filter((typ) => REGELTYPEN[typ].ursache !== null);
/** Repeats are noted of the calls themselves. */
const isLookedFor = (rule: RegelVon): rule is DetectedRule =>
  SHOWING.includes(rule.typ) && !isOfCause(rule, 'wiederholungen');

/** The active rules behind findings of the day whose calls have to be looked for. */
async function rulesOf({ client, mandant }: Day): Promise<DetectedRule[]> {
  const { rows } = await client.query<{ regel_id: string }>(RULES);
  const found = new Set(rows.map(({ regel_id }) => regel_id));
  const rules = (await readActiveRules(client, [mandant])).get(mandant) ?? [];
  return rules.filter((rule): rule is DetectedRule => isLookedFor(rule) && found.has(rule.regel_id));
}

/**
 * Takes the values of `calls`, then the place of the cause, the rule, the beginning of the day and its end. A finding is about what begins
 * within it; steps of runs may be those of a finding about their agent.
 */
function insertCalls({ text, values }: Calls): string {
  const own = (place: number, type: string) => `$${values.length + place}::${type}`;
  const calls = (of: string) => `
    SELECT c.ereignis_id, c.zeitpunkt, ${own(1, 'smallint')}, b.befund_id, b.beginn, c.agent, c.kosten_eur, c.eur
    FROM c JOIN zwilling_befunde b ON ${of} AND b.regel_id = ${own(2, 'uuid')}
    WHERE c.zeitpunkt >= ${own(3, 'timestamptz')} AND c.zeitpunkt < ${own(4, 'timestamptz')}`;
  return `INSERT INTO zwilling_aufrufe
    WITH c AS MATERIALIZED (${text})
    ${calls('b.objekt = c.objekt')} AND (c.beginn IS NULL OR c.beginn BETWEEN b.beginn AND coalesce(b.bis, b.beginn))
    UNION ALL
    ${calls('b.objekt = c.agent AND b.objekt <> c.objekt')} AND c.beginn IS NULL AND b.lauf_id IS NULL
      AND c.zeitpunkt BETWEEN b.beginn AND b.bis`;
}

/** Adds the calls of findings of these rules, as the detectors tell them. */
async function addDetected(day: Day, rules: DetectedRule[], prices: PriceList): Promise<void> {
  if (rules.length === 0) return;
  const { client, mandant, zone, von, bis } = day;
  const reach = { minutes: reachOf(rules) };
  const look: Look = { client, mandant, zone, von: von.subtract(reach), bis: bis.add(reach) };
  await prepare(look, rules, prices);
  for (const rule of rules) {
    const calls = callsOf(look, rule);
    if (!calls) continue;
    const cause = REGELTYPEN[rule.typ].ursache;
    if (!cause) continue;
    const own = [placeOf(cause), rule.regel_id, von.toString(), bis.toString()];
    await overCalls(look, () => client.query(insertCalls(calls), [...calls.values, ...own]));
  }
}

/** Reads the day anew and replaces what was known of it. */
export async function readDay(client: pg.PoolClient, open: OpenDay, prices: PriceList): Promise<void> {
  const day = dayOf(client, open);
  const { mandant_id: mandant, tag, geaendert } = open;
  const { rows } = await client.query<{ now: string }>(NOW);
  await client.query(NOTE, [mandant, tag, geaendert, rows[0]?.now]);
  await prepareTables(client);
  const bounds = [mandant, day.von.toString(), day.bis.toString()];
  await client.query(FINDINGS, [...bounds, SHOWING]);
  await client.query(REPEATS, [...bounds, placeOf('wiederholungen'), typesOfCause('wiederholungen')]);
  await addStopped(client, bounds);
  await addDetected(day, await rulesOf(day), prices);
  await client.query(CLEAR, [mandant, tag]);
  await client.query(WRITE, [mandant, tag, URSACHEN]);
}
