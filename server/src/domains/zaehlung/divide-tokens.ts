/**
 * Input without the cache and output with reasoning of calls that a former release counted, which keeps neither: made of their
 * events, hour by hour and run by run, under the Mandant's counting lock. Only where there are as many events as the sum has calls:
 * what was removed stays unknown. Goes with that release.
 */
import type pg from 'pg';
import { DIMENSION_NAMES, DIMENSIONS } from '#contracts';
import { eventValue, TOTAL } from '#domains/verbrauch/index.ts';
import { forEveryMandant, type JobContext, type Selected } from '#jobs/index.ts';
import type { OwnerDatabase } from '#platform/database/owner-database.ts';
import { lockCounting } from './change-calls.ts';
import { giveWay } from './give-way.ts';
import { addUpKept, addUpSingles } from './write/add-up.ts';

const KEPT_FROM = `coalesce((SELECT ereignisse_ab FROM aufbewahrung), '-infinity')`;

/** Mandanten with calls that are in no such sum, as far as events are kept. */
const MANDANTEN = `SELECT v.mandant_id, m.zeitzone
  FROM (SELECT DISTINCT mandant_id FROM verbrauch_tagesstand WHERE aufgeteilt < aufrufe AND tag >= ${KEPT_FROM}) AS v
  JOIN mandanten m USING (mandant_id) ORDER BY v.mandant_id`;

interface Undivided extends Selected {
  mandant_id: string;
  zeitzone: string;
}

const SUMS = ['eingabe_ohne_cache', 'ausgabe_gesamt', 'aufgeteilt'] as const;
const OF_CALLS = `coalesce(sum(eingabe_ohne_cache), 0) AS eingabe_ohne_cache, coalesce(sum(ausgabe_gesamt), 0) AS ausgabe_gesamt,
  count(*) AS aufgeteilt`;

// ── runs ────────────────────────────────────────────────────────────────────────────────────────────────────

const RUNS_AT_ONCE = 500;

// The bounds of a run leave out the months it does not touch.
const DIVIDE_RUNS = `WITH offen AS MATERIALIZED (
    SELECT lauf_id, beginn, ende FROM laeufe
    WHERE mandant_id = $1 AND aufgeteilt < aufrufe AND lauf_id > $2 AND beginn >= ${KEPT_FROM}
    ORDER BY lauf_id LIMIT ${RUNS_AT_ONCE}),
  neu AS (
    SELECT e.lauf_id, ${OF_CALLS}, coalesce(sum(e.cache_schreib_token), 0) AS geschrieben, coalesce(sum(e.denk_token), 0) AS gedacht
    FROM offen o JOIN ereignisse e ON e.mandant_id = $1 AND e.lauf_id = o.lauf_id AND e.zeitpunkt BETWEEN o.beginn AND o.ende
    GROUP BY e.lauf_id),
  geteilt AS (
    UPDATE laeufe l SET ${SUMS.map((name) => `${name} = neu.${name}`).join(', ')},
      cache_schreib_token = coalesce(l.cache_schreib_token, neu.geschrieben), denk_token = coalesce(l.denk_token, neu.gedacht)
    FROM neu WHERE l.mandant_id = $1 AND l.lauf_id = neu.lauf_id AND l.aufrufe = neu.aufgeteilt)
  SELECT lauf_id FROM offen ORDER BY lauf_id DESC LIMIT 1`;

async function divideRuns(db: OwnerDatabase, mandant: string): Promise<void> {
  let after: string | undefined = '00000000-0000-0000-0000-000000000000';
  while (after !== undefined) {
    await giveWay(db, mandant);
    after = await db.transaction(async (client) => {
      if (!(await lockCounting(client, mandant))) return undefined;
      const { rows } = await client.query<{ lauf_id: string }>(DIVIDE_RUNS, [mandant, after]);
      return rows[0]?.lauf_id;
    });
  }
}

// ── hours ───────────────────────────────────────────────────────────────────────────────────────────────────

/** The latest first: they are looked at most. */
const HOURS = `SELECT stunde FROM verbrauch_stunde
  WHERE mandant_id = $1 AND dimension = ${TOTAL.dimension} AND merkmal_id = ${TOTAL.merkmal} AND aufgeteilt < aufrufe
    AND stunde >= ${KEPT_FROM} ORDER BY stunde DESC`;

/** The calls of the hour by minute and by value of each dimension. */
const VALUES = DIMENSION_NAMES.map(
  (name) => `SELECT minute, m.dimension, m.merkmal_id, s.eingabe_ohne_cache, s.ausgabe_gesamt, s.aufgeteilt
    FROM (SELECT minute, ${name} AS text, ${OF_CALLS} FROM anrufe GROUP BY 1, 2) s
    JOIN merkmale m ON m.mandant_id = $1 AND m.dimension = ${DIMENSIONS[name].number} AND m.text = s.text`,
);

const DIVIDE_HOUR = `WITH anrufe AS MATERIALIZED (
    SELECT e.eingabe_ohne_cache, e.ausgabe_gesamt, date_trunc('minute', e.zeitpunkt) AS minute,
      ${DIMENSION_NAMES.map((name) => `${eventValue(name)} AS ${name}`).join(', ')}
    FROM ereignisse e WHERE e.mandant_id = $1 AND e.zeitpunkt >= $2 AND e.zeitpunkt < $2::timestamptz + interval '1 hour'),
  werte AS MATERIALIZED (
    SELECT minute, ${TOTAL.dimension}::smallint AS dimension, ${TOTAL.merkmal} AS merkmal_id, ${OF_CALLS} FROM anrufe GROUP BY 1
    UNION ALL ${VALUES.join('\n    UNION ALL ')}),
  mehr AS MATERIALIZED (
    SELECT v.dimension, v.merkmal_id, ${SUMS.map((name) => `n.${name} - v.${name} AS ${name}`).join(', ')}
    FROM (SELECT dimension, merkmal_id, ${SUMS.map((name) => `sum(${name}) AS ${name}`).join(', ')} FROM werte GROUP BY 1, 2) n
    JOIN verbrauch_stunde v ON v.mandant_id = $1 AND v.stunde = $2 AND v.dimension = n.dimension AND v.merkmal_id = n.merkmal_id
      AND v.aufrufe = n.aufgeteilt),
  nach_minute AS (UPDATE verbrauch_minute v SET ${SUMS.map((name) => `${name} = n.${name}`).join(', ')} FROM werte n
    WHERE v.mandant_id = $1 AND v.minute = n.minute AND v.dimension = n.dimension AND v.merkmal_id = n.merkmal_id
      AND v.aufrufe = n.aufgeteilt),
  nach_stunde AS (UPDATE verbrauch_stunde v SET ${SUMS.map((name) => `${name} = v.${name} + n.${name}`).join(', ')} FROM mehr n
    WHERE v.mandant_id = $1 AND v.stunde = $2 AND v.dimension = n.dimension AND v.merkmal_id = n.merkmal_id)
  UPDATE verbrauch_tagesstand SET geaendert = geaendert + 1, geaendert_am = $4::timestamptz,
    aufgeteilt = aufgeteilt + coalesce((SELECT aufgeteilt FROM mehr WHERE dimension = ${TOTAL.dimension}), 0),
    offen_seit = CASE WHEN gelistet = geaendert THEN $4::timestamptz ELSE offen_seit END
  WHERE mandant_id = $1 AND tag = $3::date AND EXISTS (SELECT FROM mehr)`;

async function divideHour(
  client: pg.PoolClient,
  { mandant_id: mandant, zeitzone }: Undivided,
  stunde: string,
): Promise<boolean> {
  if (!(await lockCounting(client, mandant))) return false;
  // What is kept one by one would be added to the sums once more.
  await addUpKept(client, mandant);
  const day = Temporal.Instant.from(stunde).toZonedDateTimeISO(zeitzone).toPlainDate().toString();
  const { rows } = await client.query<{ jetzt: string }>('SELECT now() AS jetzt');
  const { rowCount } = await client.query(DIVIDE_HOUR, [mandant, stunde, day, rows[0]?.jetzt]);
  return rowCount === 1;
}

/** Resolves with the number of hours that have the sums now. */
async function divideHours(db: OwnerDatabase, whose: Undivided): Promise<number> {
  await addUpSingles(db, whose.mandant_id);
  const { rows } = await db.query<{ stunde: string }>(HOURS, [whose.mandant_id]);
  let divided = 0;
  for (const { stunde } of rows) {
    await giveWay(db, whose.mandant_id);
    if (await db.transaction((client) => divideHour(client, whose, stunde))) divided += 1;
  }
  return divided;
}

/** Divides the tokens of what was counted without; resolves with the number of hours. Safe to repeat, and to be cut off anywhere. */
export async function divideTokens({ owner, log }: Pick<JobContext, 'owner' | 'log'>): Promise<number> {
  const hours = await forEveryMandant({ owner, log }, MANDANTEN, async (mandant, whose: Undivided) => {
    // Hours say whose runs are still to be done: they come last.
    await divideRuns(owner, mandant);
    return divideHours(owner, whose);
  });
  return hours.reduce((sum, count) => sum + count, 0);
}
