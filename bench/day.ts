/** A day of calls of one Mandant made inside the database, with the runs and sums counting would have written for them. */
import type pg from 'pg';
import { addRunning, addRuns, addValues } from './traffic.ts';

/** Calls of a run on the average. */
const STEPS = 20;
const MODELS = ['gpt-4o', 'gpt-4o-mini', 'gpt-4.1', 'gpt-4.1-mini', 'o3', 'o4-mini', 'gpt-5', 'gpt-5-mini'];
const zipf = (count: number) => `floor(exp(random() * ln(${count + 1})))::int`;
/** Of a day: what begins later would end tomorrow. */
const MINUTES = 1_430;

/**
 * Runs with 2 to 38 steps and a different prompt in most of them: one in 50 repeats itself, one in 50 alternates, one in 20 grows. A few
 * hundred agents, thousands of customers and eight models, Zipf-distributed; 3 % of the calls fail.
 */
const EVENTS = `
  INSERT INTO ereignisse (mandant_id, ereignis_id, zeitpunkt, empfangen_am, anbieter, modell, agent, projekt, lauf_id, schritt_nr,
    eingabe_token, ausgabe_token, cache_lese_token, cache_schreib_token, denk_token, eingabe_ohne_cache, ausgabe_gesamt,
    werkzeugaufrufe, latenz_ms, erste_zeichen_ms, status, geschaetzt, prompt_fingerabdruck, werkzeug_fingerabdruck, endkunde_ref,
    funktion_ref, benutzer_ref, quelle, kosten_usd, kurs_usd_eur, preis_quelle)
  SELECT $1, gen_random_uuid(), t, t, 'openai', ($2::text[])[m], 'projekt-' || a % 4 || '/agent-' || a, 'projekt-' || a % 4, lauf, n,
    eingabe, 50 + n % 300, gelesen, 0, n % 40, eingabe - gelesen, 50 + n % 300, n % 2, 300 + (random() * 4000)::int, 200,
    CASE WHEN random() < 0.03 THEN 'fehler' ELSE 'erfolgreich' END, random() < 0.02,
    decode(lpad(to_hex(CASE WHEN art = 0 THEN r WHEN art = 1 THEN r + n % 2 ELSE (random() * 9e18)::bigint END), 16, '0'), 'hex'),
    decode(lpad(to_hex(CASE WHEN art = 0 THEN 1 WHEN art = 1 THEN n % 2 ELSE (random() * 8)::int END), 16, '0'), 'hex'),
    'EK-' || c, 'funktion-' || a % 30, 'u-' || a % 300, 'sdk', eingabe * 0.00000015 + (50 + n % 300) * 0.0000006, 0.86, 'genai-prices'
  FROM (
    SELECT *, art_eingabe AS eingabe, CASE WHEN random() < 0.01 THEN 0 ELSE art_eingabe * 9 / 10 END AS gelesen,
      beginn + n * interval '7 seconds' AS t
    FROM (
      SELECT r, gen_random_uuid() AS lauf, r % 50 AS art, ${zipf(200)} AS a, ${zipf(2_000)} AS c, ${zipf(MODELS.length)} AS m,
        2 + (random() * ${2 * STEPS - 4})::int AS schritte, now() - random() * $4::integer * interval '1 minute' AS beginn
      FROM generate_series(1, $3::bigint / ${STEPS}) AS r) AS laeufe
    CROSS JOIN LATERAL (SELECT n, CASE WHEN r % 20 = 7 THEN 2000 * n ELSE 1000 + 200 * n END AS art_eingabe
      FROM generate_series(1, schritte) AS n) AS schritte) AS roh
  ORDER BY t`;

async function addCalls(client: pg.Client, mandant: string, count: number, minutes: number): Promise<void> {
  await client.query("SET work_mem = '256MB'");
  await client.query(EVENTS, [mandant, MODELS, count, minutes]);
  await addRuns(client, mandant);
}

const DAY = 1_440;

/** Makes about `count` calls spread over `days` until now, their runs, and the sums of all of them by hour and day. */
export async function addDays(
  client: pg.Client,
  mandant: string,
  count: number,
  days: number,
): Promise<void> {
  await addCalls(client, mandant, count, days * DAY - 10);
  await addRunning(client, mandant, 'stunde', null);
  await finishSums(client, mandant);
}

/** Makes about `count` calls within the 24 hours before now, and all that is kept of them. */
export async function addDay(client: pg.Client, mandant: string, count: number): Promise<void> {
  await addCalls(client, mandant, count, MINUTES);
  await addValues(client, mandant);
  for (const grain of ['minute', 'stunde'] as const)
    for (const name of [null, 'agent'] as const) await addRunning(client, mandant, grain, name);
  await finishSums(client, mandant);
}

async function finishSums(client: pg.Client, mandant: string): Promise<void> {
  await client.query(
    `INSERT INTO zaehlstaende (mandant_id, ereignisse_gesamt, daten_von) SELECT $1, count(*), min(zeitpunkt) - interval '60 days'
     FROM ereignisse WHERE mandant_id = $1 ON CONFLICT (mandant_id) DO UPDATE SET daten_von = excluded.daten_von`,
    [mandant],
  );
  await client.query('VACUUM ANALYZE');
}
