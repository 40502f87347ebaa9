/** Reads the steps of the runs of a look into the tables of the connection: one scan and one sort for all detectors. */
import type { Look } from '../detector.ts';
import { bits, CALL_COLUMNS } from './columns.ts';
import { prepareTables } from './tables.ts';

/**
 * A run that goes on within the window is looked at from its beginning: else what it does would seem to begin anew each time. So
 * many days back at most; what lasts longer than that begins anew once a day.
 */
const DAYS_BACK = 7;

const INSERT_RUNS = `
  INSERT INTO detektoren_laeufe
  SELECT lauf_id, agent, projekt, endkunde_ref, beginn, ende, aufrufe, fehler, unbepreist, kosten_eur, verbranntes_geld_eur
  FROM laeufe WHERE mandant_id = $1`;
/** Runs of one part: $n - 1 of their number less one, $n its own. */
const inPart = (column: string, n: number) => `uuid_hash(${column}) & $${n - 1} = $${n}`;
const RUNS = `${INSERT_RUNS} AND ende >= $2 AND beginn < $3 AND ${inPart('lauf_id', 5)}`;
const THESE_RUNS = `${INSERT_RUNS} AND lauf_id = ANY ($2::uuid[])`;

// The order of a run's steps is that of `compareSteps` of the slice laeufe.
const stepsOf = (source: string) => `
  INSERT INTO detektoren_schritte (zeitpunkt, eingabe, ohne_cache, lese, erste_eingabe, groesste_eingabe, nr, letzter, wiederholt, pendelt,
    ereignis_id, lauf_id, prompt, werkzeug, schritt_nr, eingabe_vor, zeit_vor, kosten_eur, ausgabe, denk, kurs, agent, modell, anbieter)
  SELECT zeitpunkt, eingabe, ohne_cache, lese, first_value(eingabe) OVER schritte, max(eingabe) OVER schritte, row_number() OVER schritte,
    lead(eingabe) OVER schritte IS NULL,
    coalesce(prompt = lag(prompt) OVER schritte AND modell = lag(modell) OVER schritte
      AND werkzeug IS NOT DISTINCT FROM lag(werkzeug) OVER schritte, false),
    coalesce(werkzeug = lag(werkzeug, 2) OVER schritte AND werkzeug <> lag(werkzeug) OVER schritte, false),
    ereignis_id, lauf_id, ${bits('prompt')}, werkzeug, schritt_nr, lag(eingabe) OVER schritte, lag(zeitpunkt) OVER schritte, kosten_eur,
    ausgabe, denk, kurs, agent, modell, anbieter
  FROM (${source}) AS alle
  WINDOW schritte AS (PARTITION BY lauf_id ORDER BY schritt_nr, zeitpunkt, ereignis_id)`;
const STEPS = stepsOf(`
    SELECT ${CALL_COLUMNS} FROM ereignisse e
    WHERE e.mandant_id = $1 AND e.zeitpunkt >= $2 AND e.zeitpunkt < $3 AND e.lauf_id IS NOT NULL
      AND ${inPart('e.lauf_id', 6)}
    UNION ALL
    SELECT ${CALL_COLUMNS} FROM laeufe l JOIN ereignisse e ON e.mandant_id = l.mandant_id AND e.lauf_id = l.lauf_id
      AND e.zeitpunkt >= greatest(l.beginn, $4) AND e.zeitpunkt < $2
    WHERE l.mandant_id = $1 AND l.ende >= $2 AND l.beginn < $2 AND ${inPart('l.lauf_id', 6)}`);
// The bounds of a run leave out the months it does not touch.
const STEPS_OF_RUNS = stepsOf(`
    SELECT ${CALL_COLUMNS} FROM laeufe l JOIN ereignisse e ON e.mandant_id = l.mandant_id AND e.lauf_id = l.lauf_id
      AND e.zeitpunkt >= greatest(l.beginn, $3) AND e.zeitpunkt <= l.ende
    WHERE l.mandant_id = $1 AND l.lauf_id = ANY ($2::uuid[])`);

/** Midnight (UTC), so many days before: the same for all looks of a day. */
const farthest = (von: Temporal.Instant) =>
  von.toZonedDateTimeISO('UTC').startOfDay().subtract({ days: DAYS_BACK }).toInstant().toString();

/** Loads the runs that go on within the look, or its part of them, and their steps; resolves with how many of these. Inside a transaction. */
export async function loadSteps({ client, mandant, von, bis, part }: Look): Promise<number> {
  await prepareTables(client);
  const ofPart = [(part?.of ?? 1) - 1, part?.nr ?? 0];
  await client.query(RUNS, [mandant, von.toString(), bis.toString(), ...ofPart]);
  const values = [mandant, von.toString(), bis.toString(), farthest(von), ...ofPart];
  const { rowCount } = await client.query(STEPS, values);
  await client.query('ANALYZE detektoren_laeufe; ANALYZE detektoren_schritte');
  return rowCount ?? 0;
}

/** Below this the planner does without statistics. */
const WORTH_ANALYZING = 5_000;

/** Loads these runs, with their steps of the last days. Inside a transaction; resolves with how many steps. */
export async function loadRuns({ client, mandant, bis }: Look, runs: string[]): Promise<number> {
  await prepareTables(client);
  await client.query(THESE_RUNS, [mandant, runs]);
  const { rowCount } = await client.query(STEPS_OF_RUNS, [mandant, runs, farthest(bis)]);
  if ((rowCount ?? 0) > WORTH_ANALYZING) await client.query('ANALYZE detektoren_schritte');
  return rowCount ?? 0;
}
