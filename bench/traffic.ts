/** A month of calls made inside the database, and the sums and pairs counting would have written for them. */
import type pg from 'pg';
import { DIMENSION_NAMES, DIMENSIONS } from '#contracts';
import { EVENT_FIGURES, eventValue, GRAINS, type Grain, SUM_COLUMNS } from '#domains/verbrauch/index.ts';
import { addPieces } from './pieces-of-calls.ts';

const USERS = 300;
const DAYS = 30;

/** How many agents, end customers and models; which of them call how often follows Zipf's law. */
export interface Cardinality {
  agents: number;
  customers: number;
  models: number;
}

const zipf = (count: number) => `floor(exp(random() * ln(${count + 1})))::int`;

/** Calls of a run, on the average; they lie within some minutes. */
const STEPS = 20;
const RUN_MINUTES = 5;

/** `count` events, spread at random over the 30 days before now and stored in their order, as they come. */
export async function addEvents(
  client: pg.Client,
  mandant: string,
  { agents, customers, models }: Cardinality,
  count: number,
): Promise<void> {
  await client.query(
    `INSERT INTO ereignisse (mandant_id, ereignis_id, zeitpunkt, empfangen_am, anbieter, modell, agent, projekt, lauf_id,
       schritt_nr, eingabe_token, ausgabe_token, cache_lese_token, cache_schreib_token, denk_token, eingabe_ohne_cache,
       ausgabe_gesamt, werkzeugaufrufe, latenz_ms, erste_zeichen_ms, status, geschaetzt, endkunde_ref, funktion_ref,
       benutzer_ref, quelle, kosten_usd, kurs_usd_eur, preis_quelle)
     SELECT $1, gen_random_uuid(), t, t, 'anbieter-' || m % 4, 'modell-' || m, 'projekt-' || a % 4 || '/agent-' || a,
       'projekt-' || a % 4,
       md5(floor(extract(epoch FROM t) / ${60 * RUN_MINUTES}) || '-' || n % $3)::uuid, n % ${STEPS}, 1000 + n % 500, 100, 0, 0, 0, 1000 + n % 500, 100, 0, 900, 200,
       CASE WHEN n % 33 = 0 THEN 'fehler' ELSE 'erfolgreich' END, n % 50 = 0, 'EK-' || c, 'funktion-' || n % 3,
       'u-' || u, 'sdk', CASE WHEN n % 200 <> 0 THEN (1000 + n % 500) * 0.00000015 + 100 * 0.0000006 END, 0.86, 'genai-prices'
     FROM (SELECT n, ${zipf(agents)} AS a, ${zipf(customers)} AS c, ${zipf(models)} AS m, ${zipf(USERS)} AS u,
             now() - random() * interval '${DAYS} days' AS t FROM generate_series(1, $2::bigint) AS n) AS roh
     ORDER BY t`,
    [mandant, count, Math.ceil((count * RUN_MINUTES) / (DAYS * 1_440 * STEPS))],
  );
}

/** The runs of all its calls, as far as they can be told from them. */
export async function addRuns(client: pg.Client, mandant: string): Promise<void> {
  await client.query(
    `INSERT INTO laeufe (mandant_id, lauf_id, agent, projekt, endkunde_ref, status, beginn, ende, aufrufe, fehler, unbepreist,
       eingabe_token, ausgabe_token, cache_lese_token, kosten_usd, kosten_eur, verbranntes_geld_eur)
     SELECT mandant_id, lauf_id, min(agent), min(projekt), min(endkunde_ref), 'erfolgreich', min(zeitpunkt), max(zeitpunkt), count(*),
       count(*) FILTER (WHERE status <> 'erfolgreich'), count(*) FILTER (WHERE kosten_usd IS NULL), sum(eingabe_token),
       sum(ausgabe_token), sum(cache_lese_token), sum(kosten_usd), sum(kosten_eur),
       coalesce(sum(kosten_eur) FILTER (WHERE status <> 'erfolgreich'), 0)
     FROM ereignisse WHERE mandant_id = $1 GROUP BY 1, 2`,
    [mandant],
  );
}

/** Gives the values of the events their numbers, on from which counting goes. */
export async function addValues(client: pg.Client, mandant: string): Promise<void> {
  const values = DIMENSION_NAMES.map(
    (name) => `SELECT DISTINCT ${DIMENSIONS[name].number} AS dimension, ${eventValue(name)} AS text
      FROM ereignisse e WHERE mandant_id = $1`,
  );
  await client.query(
    `INSERT INTO merkmale SELECT $1, row_number() OVER (), dimension, text FROM (${values.join(' UNION ALL ')}) AS werte`,
    [mandant],
  );
  await client.query(
    `INSERT INTO zaehlstaende (mandant_id, merkmale_anzahl) SELECT $1, max(merkmal_id) FROM merkmale WHERE mandant_id = $1
     ON CONFLICT (mandant_id) DO UPDATE SET merkmale_anzahl = excluded.merkmale_anzahl`,
    [mandant],
  );
}

/** Running sums of all calls, or of each agent. */
export async function addRunning(
  client: pg.Client,
  mandant: string,
  grain: Grain,
  name: 'agent' | null,
): Promise<void> {
  const { table, column } = GRAINS[grain];
  const text = name ? eventValue(name) : `''`;
  const number = name ? DIMENSIONS[name].number : 0;
  await client.query(
    `INSERT INTO ${table} (mandant_id, dimension, ${column}, merkmal_id, ${SUM_COLUMNS.map((sum) => sum.name).join(', ')})
     SELECT $1, ${number}, zeit, coalesce(merkmal_id, 0), aufrufe, fehler, unbepreist, geschaetzt, eingabe_token + ausgabe_token,
       kosten_eur, aufrufe::numeric * 1e180, 0
     FROM (SELECT date_trunc('${grain === 'minute' ? 'minute' : 'hour'}', zeitpunkt) AS zeit, ${text} AS text, ${EVENT_FIGURES}
       FROM ereignisse e WHERE mandant_id = $1 GROUP BY 1, 2) AS summen
     LEFT JOIN merkmale m ON m.mandant_id = $1 AND m.dimension = ${number} AND m.text = summen.text`,
    [mandant],
  );
}

const TABLES = ['laufend_stunde', 'tagesstand', 'stuecke'].map((name) => `verbrauch_${name}`);

/** Makes all sums anew; resolves with the milliseconds that the pieces took. */
export async function rebuildSums(client: pg.Client, mandant: string): Promise<number> {
  await client.query(`TRUNCATE merkmale, ${TABLES.join(', ')}`);
  await client.query("SET work_mem = '256MB'");
  await addValues(client, mandant);
  await client.query('ANALYZE ereignisse, merkmale');
  for (const name of [null, 'agent'] as const) await addRunning(client, mandant, 'stunde', name);
  await client.query(
    `INSERT INTO verbrauch_tagesstand (mandant_id, tag, geaendert, geaendert_am, aufrufe, unbepreist, kosten_eur)
     SELECT v.mandant_id, (stunde AT TIME ZONE zeitzone)::date, 1, now(), sum(v.aufrufe), sum(v.unbepreist), sum(v.kosten_eur)
     FROM verbrauch_laufend_stunde v JOIN mandanten USING (mandant_id) WHERE dimension = 0 GROUP BY 1, 2`,
  );
  const start = performance.now();
  await addPieces(client, mandant);
  const took = performance.now() - start;
  await client.query('VACUUM ANALYZE');
  return took;
}
