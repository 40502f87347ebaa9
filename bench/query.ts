/** /v1/api/verbrauch over 30 days by agent, at one and at ten million events; beside it the same question to the raw events. */
import type pg from 'pg';
import { AGENTS, CUSTOMERS } from './events.ts';
import { round } from './ingest.ts';
import { type BenchService, startBenchService } from './service.ts';

const REQUESTS = 500;

/** Events spread evenly over 30 days, made inside the database; what counting would have written follows by GROUP BY. */
async function fill(client: pg.Client, mandant: string, from: number, to: number): Promise<void> {
  await client.query(
    `INSERT INTO ereignisse (mandant_id, ereignis_id, zeitpunkt, empfangen_am, anbieter, modell, agent, projekt, lauf_id,
       schritt_nr, eingabe_token, ausgabe_token, cache_lese_token, cache_schreib_token, denk_token, eingabe_ohne_cache,
       ausgabe_gesamt, werkzeugaufrufe, latenz_ms, erste_zeichen_ms, status, geschaetzt, endkunde_ref, funktion_ref,
       benutzer_ref, quelle, kosten_usd, kurs_usd_eur, preis_quelle)
     SELECT $1, gen_random_uuid(), t, t, 'openai', 'gpt-4o-mini', 'projekt-' || a % 4 || '/agent-' || a, 'projekt-' || a % 4,
       ('00000000-0000-4000-8000-' || lpad((n / 20)::text, 12, '0'))::uuid, n % 20, 1000 + n % 500, 100, 0, 0, 0, 1000 + n % 500,
       100, 0, 900, 200, CASE WHEN n % 33 = 0 THEN 'fehler' ELSE 'erfolgreich' END, false, 'EK-' || (n / ${AGENTS}) % ${CUSTOMERS}, 'antworten',
       'u-1', 'sdk', usd, 0.86, 'genai-prices'
     FROM (SELECT n, n % ${AGENTS} AS a, now() - interval '30 days' + n * (interval '30 days' / $3::float8) AS t,
             (1000 + n % 500) * 0.00000015 + 100 * 0.0000006 AS usd FROM generate_series($2::bigint, $3::bigint - 1) AS n) AS roh`,
    [mandant, from, to],
  );
}

async function rebuildRollups(client: pg.Client, mandant: string): Promise<void> {
  const figures = `count(*), count(*) FILTER (WHERE status <> 'erfolgreich'), 0, 0, sum(eingabe_token), sum(ausgabe_token),
    sum(cache_lese_token), sum(cache_schreib_token), sum(denk_token), sum(kosten_usd), sum(kosten_eur), NULL::numeric,
    coalesce(sum(kosten_eur) FILTER (WHERE status <> 'erfolgreich'), 0)`;
  const keys = `agent, projekt, endkunde_ref, anbieter, modell`;
  await client.query('TRUNCATE verbrauch_stunde, verbrauch_tag');
  await client.query(
    `INSERT INTO verbrauch_stunde SELECT mandant_id, date_trunc('hour', zeitpunkt) AS stunde, ${keys}, kurs_usd_eur, ${figures}
     FROM ereignisse WHERE mandant_id = $1 GROUP BY mandant_id, stunde, ${keys}, kurs_usd_eur`,
    [mandant],
  );
  await client.query(
    `INSERT INTO verbrauch_tag SELECT mandant_id, (zeitpunkt AT TIME ZONE 'Europe/Berlin')::date AS tag, ${keys}, ${figures}
     FROM ereignisse WHERE mandant_id = $1 GROUP BY mandant_id, tag, ${keys}`,
    [mandant],
  );
  await client.query('VACUUM ANALYZE');
}

async function times(work: () => Promise<void>, count: number): Promise<{ p50: number; p99: number }> {
  const durations: number[] = [];
  for (let index = 0; index < count; index += 1) {
    const start = performance.now();
    await work();
    durations.push(performance.now() - start);
  }
  durations.sort((a, b) => a - b);
  const at = (share: number) => round(durations[Math.min(count - 1, Math.floor(count * share))] as number);
  return { p50: at(0.5), p99: at(0.99) };
}

async function measureAt(service: BenchService, client: pg.Client) {
  const ask = async () => {
    const answer = await fetch(`${service.address}/v1/api/verbrauch`, {
      headers: { authorization: `Bearer ${service.key}` },
    });
    if (answer.status !== 200) throw new Error(`status ${answer.status}`);
    await answer.arrayBuffer();
  };
  await times(ask, 50);
  const service_ms = await times(ask, REQUESTS);
  const raw = `SELECT agent, sum(kosten_eur), sum(kosten_usd), count(*), sum(eingabe_token), sum(ausgabe_token), sum(cache_lese_token),
    count(*) FILTER (WHERE status <> 'erfolgreich') FROM ereignisse
    WHERE mandant_id = $1 AND zeitpunkt >= now() - interval '30 days' GROUP BY agent`;
  const raw_ms = await times(async () => void (await client.query(raw, [service.mandant])), 3);
  const rows = await client.query(
    'SELECT (SELECT count(*) FROM verbrauch_tag)::int AS tage, (SELECT count(*) FROM verbrauch_stunde)::int AS stunden',
  );
  return { service_ms, raw_events_ms: raw_ms.p50, rollup_rows: rows.rows[0] as unknown };
}

export async function measureQuery(small: number, large: number) {
  const service = await startBenchService();
  const client = await service.connect();
  try {
    await fill(client, service.mandant, 0, small);
    await rebuildRollups(client, service.mandant);
    const atSmall = await measureAt(service, client);
    await client.query('TRUNCATE ereignisse');
    await fill(client, service.mandant, 0, large);
    await rebuildRollups(client, service.mandant);
    const atLarge = await measureAt(service, client);
    return {
      [small]: atSmall,
      [large]: atLarge,
      slower: {
        p50: round(atLarge.service_ms.p50 / atSmall.service_ms.p50),
        p99: round(atLarge.service_ms.p99 / atSmall.service_ms.p99),
      },
    };
  } finally {
    await client.end();
    await service.stop();
  }
}
