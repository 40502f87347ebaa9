/** Reads the steps of the runs of a look into the tables of the connection: one scan and one sort for all detectors. */
import { calledSince } from '#domains/laeufe/index.ts';
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
  SELECT lauf_id, agent, projekt, endkunde_ref, eltern_lauf, beginn, ende, aufrufe, fehler, unbepreist, kosten_eur, verbranntes_geld_eur
  FROM laeufe WHERE mandant_id = $1`;
/** Runs of one part: $n - 1 of their number less one, $n its own. */
const inPart = (column: string, n: number) => `uuid_hash(${column}) & $${n - 1} = $${n}`;
const RUNS = `${INSERT_RUNS} AND ${calledSince('$2::timestamptz')} AND beginn < $3 AND ${inPart('lauf_id', 5)}`;
const THESE_RUNS = `${INSERT_RUNS} AND lauf_id = ANY ($2::uuid[])`;

// The order of a run's steps is that of `compareSteps` of the slice laeufe.
const stepsOf = (source: string) => `
  INSERT INTO detektoren_schritte (zeitpunkt, empfangen, eingabe, ohne_cache, lese, erste_eingabe, groesste_eingabe, nr, erfolg_nr, pause, letzter,
    failed, wiederholt, verlauf, pendelt, gleich_gefragt, ereignis_id, lauf_id, prompt, werkzeug, schritt_nr, eingabe_vor, zeit_vor,
    prompt_vor, im_cache_vor, kosten_eur, ausgabe, denk, kurs, agent, funktion_ref, modell, anbieter)
  SELECT zeitpunkt, empfangen, eingabe, ohne_cache, lese, first_value(eingabe) OVER gelungen, max(eingabe) OVER gelungen, row_number() OVER schritte,
    CASE WHEN NOT failed THEN row_number() OVER gelungen END,
    -- Whether a sender tells when a call began or when it ended: its duration is no pause.
    (extract(epoch FROM zeitpunkt - lag(zeitpunkt) OVER gelungen) * 1000)::bigint - greatest(latenz, lag(latenz) OVER gelungen),
    NOT failed AND lead(eingabe) OVER gelungen IS NULL, failed,
    NOT failed AND coalesce(prompt = lag(prompt) OVER gelungen AND modell = lag(modell) OVER gelungen
      AND werkzeug IS NOT DISTINCT FROM lag(werkzeug) OVER gelungen
      AND coalesce(ergebnis = lag(ergebnis) OVER gelungen, true), false),
    NOT failed AND werkzeug IS NOT NULL AND coalesce(eingabe > lag(eingabe) OVER gelungen, false),
    NOT failed AND coalesce(werkzeug = lag(werkzeug, 2) OVER gelungen AND werkzeug <> lag(werkzeug) OVER gelungen, false),
    coalesce(prompt = lag(prompt, 2) OVER gelungen AND coalesce(ergebnis = lag(ergebnis, 2) OVER gelungen, true), false),
    ereignis_id, lauf_id, ${bits('prompt')}, werkzeug, schritt_nr, lag(eingabe) OVER gelungen, lag(zeitpunkt) OVER gelungen,
    lag(${bits('prompt')}) OVER gelungen, lag(eingabe - ohne_cache) OVER gelungen, kosten_eur,
    ausgabe, denk, kurs, agent, funktion_ref, modell, anbieter
  FROM (${source}) AS alle
  WINDOW schritte AS (PARTITION BY lauf_id ORDER BY schritt_nr, zeitpunkt, ereignis_id),
    gelungen AS (PARTITION BY lauf_id, failed ORDER BY schritt_nr, zeitpunkt, ereignis_id)`;
const STEPS = stepsOf(`
    SELECT ${CALL_COLUMNS} FROM ereignisse e
    WHERE e.mandant_id = $1 AND e.zeitpunkt >= $2 AND e.zeitpunkt < $3 AND e.lauf_id IS NOT NULL
      AND ${inPart('e.lauf_id', 6)}
    UNION ALL
    SELECT ${CALL_COLUMNS} FROM laeufe l JOIN ereignisse e ON e.mandant_id = l.mandant_id AND e.lauf_id = l.lauf_id
      AND e.zeitpunkt >= greatest(l.beginn, $4) AND e.zeitpunkt < $2
    WHERE l.mandant_id = $1 AND ${calledSince('$2::timestamptz', 'l.')} AND l.beginn < $2 AND ${inPart('l.lauf_id', 6)}`);
// The bounds of a run leave out the months it does not touch.
const STEPS_OF_RUNS = stepsOf(`
    SELECT ${CALL_COLUMNS} FROM laeufe l JOIN ereignisse e ON e.mandant_id = l.mandant_id AND e.lauf_id = l.lauf_id
      AND e.zeitpunkt >= greatest(l.beginn, $3) AND e.zeitpunkt <= l.ende
    WHERE l.mandant_id = $1 AND l.lauf_id = ANY ($2::uuid[])`);

/** Midnight (UTC), some days before: the same for all looks of a day. */
const farthest = (von: Temporal.Instant) =>
  von.toZonedDateTimeISO('UTC').startOfDay().subtract({ days: DAYS_BACK }).toInstant().toString();

/** Loads the runs that go on within the look, or its part of them, and their steps; resolves with how many of these. Inside a transaction. */
export async function loadSteps({ client, mandant, von, bis, part, few = false }: Look): Promise<number> {
  await prepareTables(client);
  const ofPart = [(part?.of ?? 1) - 1, part?.nr ?? 0];
  await client.query(RUNS, [mandant, von.toString(), bis.toString(), ...ofPart]);
  const values = [mandant, von.toString(), bis.toString(), farthest(von), ...ofPart];
  const { rowCount } = await client.query(STEPS, values);
  if (!few) await client.query('ANALYZE detektoren_laeufe; ANALYZE detektoren_schritte');
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
