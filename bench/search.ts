/** The search for runs among many of them, by what is sought, in which order and on which page. */
import type pg from 'pg';
import { round } from './ingest.ts';
import { type BenchService, startBenchService } from './service.ts';

const zipf = (count: number) => `floor(exp(random() * ln(${count + 1})))::int`;
const AGENTS = 2_000;
const CUSTOMERS = 20_000;

/** Agents and end customers by Zipf's law, every other id by time, over 30 days; the first agent and customer were quiet of late. */
const RUNS = `
  INSERT INTO laeufe (mandant_id, lauf_id, agent, projekt, endkunde_ref, status, beginn, ende, aufrufe, fehler, unbepreist,
    eingabe_token, ausgabe_token, cache_lese_token, kosten_usd, kosten_eur, verbranntes_geld_eur)
  SELECT $1, CASE WHEN n % 2 = 0 THEN gen_random_uuid() ELSE (lpad(to_hex((extract(epoch FROM t) * 1000)::bigint), 12, '0') || '7' ||
      substr(md5(n::text), 1, 19))::uuid END,
    'projekt-' || a % 4 || '/agent-' || a, 'projekt-' || a % 4, 'EK-' || c, 'erfolgreich', t, t + interval '3 minutes',
    20, (n % 33 = 0)::int, 0, 20000, 2000, 0, 0.01 * (n % 997), 0.0086 * (n % 997), 0
  FROM (SELECT n, CASE WHEN n < $2 * 0.9 THEN 0 ELSE 1 END + ${zipf(AGENTS)} AS a, CASE WHEN n < $2 * 0.9 THEN 0 ELSE 1 END + ${zipf(CUSTOMERS)} AS c,
      now() - (($2 - n) / $2) * interval '30 days' AS t FROM generate_series(1, $2::float8::int) AS n) AS roh`;
const NAMES = [
  `INSERT INTO agenten (mandant_id, schluessel, name, projekt)
   SELECT DISTINCT ON (agent) mandant_id, agent, agent, projekt FROM laeufe WHERE mandant_id = $1`,
  `INSERT INTO endkunden (mandant_id, referenz, name)
   SELECT DISTINCT mandant_id, endkunde_ref, 'Kunde Nr. ' || endkunde_ref || ' & Söhne GmbH' FROM laeufe WHERE mandant_id = $1`,
];

const TIMES = 15;

/** Milliseconds of the answers in the middle and of the slowest one. */
async function timed(service: BenchService, parameters: Record<string, string>) {
  const taken: number[] = [];
  for (let time = 0; time < TIMES; time += 1) {
    const start = performance.now();
    const path = `${service.address}/v1/cockpit/laeufe?${new URLSearchParams(parameters)}`;
    const answer = await fetch(path, { headers: { cookie: service.cookie } });
    const body = await answer.text();
    if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${body}`);
    taken.push(performance.now() - start);
  }
  const sorted = taken.toSorted((a, b) => a - b);
  return { p50: round(sorted[TIMES >> 1] as number), max: round(sorted.at(-1) as number) };
}

/** What is sought, of the last 30 days unless it says otherwise. */
function searches(run: { lauf_id: string; agent: string }): Record<string, Record<string, string>> {
  const von = new Date(Date.now() - 30 * 86_400_000).toISOString().slice(0, 10);
  const seek = (suche: string, more: Record<string, string> = {}) => ({ von, suche, ...more });
  return {
    id: seek(run.lauf_id),
    id_8_digits: seek(run.lauf_id.slice(0, 8)),
    id_4_digits: seek(run.lauf_id.slice(0, 4)),
    id_1_digit: seek('3'),
    id_by_time: seek('019'),
    agent: seek(run.agent),
    agent_quiet_of_late: seek('projekt-1/agent-1'),
    all_agents: seek('AGENT-'),
    agents_many: seek('agent-19'),
    end_customer: seek('kunde nr. ek-1234 '),
    end_customers_all: seek('sohne'),
    end_customers_many: seek('ek-77'),
    nothing: seek('zzzz'),
    all_times: { suche: run.agent },
    oldest_first: seek(run.agent, { richtung: 'aufsteigend' }),
    failed_only: seek('ek-77', { nur_fehler: 'true' }),
    by_cost_id: seek(run.lauf_id.slice(0, 8), { sortierung: 'kosten' }),
    by_cost_agent: seek(run.agent, { sortierung: 'kosten' }),
    by_cost_end_customer: seek('kunde nr. ek-1234 ', { sortierung: 'kosten' }),
    by_cost_all_agents: seek('agent-', { sortierung: 'kosten' }),
    by_cost_without_search: { von, sortierung: 'kosten' },
    without_search: { von },
  };
}

async function oneRun(client: pg.Client) {
  const { rows } = await client.query<{ lauf_id: string; agent: string }>(
    `SELECT lauf_id, agent FROM laeufe WHERE agent LIKE '%agent-77' ORDER BY ende LIMIT 1 OFFSET 10`,
  );
  const [run] = rows;
  if (!run) throw new Error('no run of agent-77');
  return run;
}

/** Of each search among this number of runs, in milliseconds. */
export async function measureSearch(runs: number) {
  const service = await startBenchService('api');
  try {
    const client = await service.connect();
    await client.query(RUNS, [service.mandant, runs]);
    for (const statement of NAMES) await client.query(statement, [service.mandant]);
    await client.query('VACUUM ANALYZE laeufe, agenten, endkunden');
    const measured: Record<string, unknown> = {};
    for (const [name, parameters] of Object.entries(searches(await oneRun(client))))
      measured[name] = await timed(service, parameters);
    await client.end();
    return measured;
  } finally {
    await service.stop();
  }
}
