/** Consumption of 30 days in every grouping, the overview and answers with one filter, by cardinality and number of events. */
import type pg from 'pg';
import { round } from './ingest.ts';
import { type BenchService, startBenchService } from './service.ts';
import { addEvents, type Cardinality, rebuildSums } from './traffic.ts';

const REQUESTS = 200;
/** Answers that take long are asked for less often. */
const MAX_SECONDS = 8;
const GROUPS = [
  'agent',
  'projekt',
  'endkunde',
  'anbieter',
  'modell',
  'funktion',
  'benutzer',
  'tag',
  'stunde',
];
const MOST = { agent: 'projekt-1/agent-1', endkunde: 'EK-1', modell: 'modell-1' };

const query = (parameters: Record<string, string>) => `/v1/api/verbrauch?${new URLSearchParams(parameters)}`;

const QUESTIONS: Record<string, string> = {
  ...Object.fromEntries(GROUPS.map((gruppe) => [gruppe, query({ gruppe })])),
  uebersicht: '/v1/cockpit/uebersicht?zeitraum=30tage',
  uebersicht_tag: '/v1/uebersicht/tag',
  agent_by_modell: query({ gruppe: 'modell', agent: MOST.agent }),
  agent_by_endkunde: query({ gruppe: 'endkunde', agent: MOST.agent }),
  endkunde_by_agent: query({ gruppe: 'agent', endkunde: MOST.endkunde }),
  modell_by_endkunde: query({ gruppe: 'endkunde', modell: MOST.modell }),
  modell_by_stunde: query({ gruppe: 'stunde', modell: MOST.modell }),
};

async function times(work: () => Promise<void>): Promise<{ p50: number; p99: number; requests: number }> {
  const durations: number[] = [];
  const until = performance.now() + MAX_SECONDS * 1000;
  while (durations.length < REQUESTS && performance.now() < until) {
    const start = performance.now();
    await work();
    durations.push(performance.now() - start);
  }
  durations.sort((a, b) => a - b);
  const at = (share: number) => round(durations[Math.floor((durations.length - 1) * share)] as number);
  return { p50: at(0.5), p99: at(0.99), requests: durations.length };
}

async function measureAt(service: BenchService) {
  const headers = { authorization: `Bearer ${service.key}`, cookie: service.cookie };
  const result: Record<string, unknown> = {};
  for (const [name, path] of Object.entries(QUESTIONS)) {
    const ask = async () => {
      const answer = await fetch(`${service.address}${path}`, { headers });
      if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
      await answer.arrayBuffer();
    };
    for (let turn = 0; turn < 3; turn += 1) await ask();
    result[name] = await times(ask);
  }
  return result;
}

const SIZES = `SELECT relname AS table, pg_total_relation_size(oid)::float8 AS bytes FROM pg_class
  WHERE relkind = 'r' AND (relname LIKE 'verbrauch%' OR relname = 'merkmale') ORDER BY 1`;

async function sizesOf(client: pg.Client, events: number): Promise<Record<string, number>> {
  const { rows } = await client.query<{ table: string; bytes: number }>(SIZES);
  return Object.fromEntries(rows.map(({ table, bytes }) => [table, round(bytes / events)]));
}

export interface QueryRun extends Cardinality {
  /** Numbers of events, ascending. */
  events: number[];
}

/** Reads `20x5x4:1000000,10000000`. */
export function parseRun(text: string): QueryRun {
  const [shape = '', events = ''] = text.split(':');
  const [agents = 0, customers = 0, models = 0] = shape.split('x').map(Number);
  return { agents, customers, models, events: events.split(',').map(Number) };
}

export const RUNS = ['20x5x4:1000000,10000000', '200x2000x8:1000000,5000000', '2000x20000x8:5000000'].map(
  parseRun,
);

/**
 * A zone in which it is 22 hours and some minutes: of a day that is not over a filtered question reads the calls, so that late in
 * the evening is when it takes longest.
 */
function eveningZone(): string {
  const ahead = 22 - new Date().getUTCHours();
  const offset = ahead > 14 ? ahead - 24 : ahead;
  // These names count westwards.
  return `Etc/GMT${offset > 0 ? '-' : '+'}${Math.abs(offset)}`;
}

async function measureRun({ events, ...shape }: QueryRun) {
  // No worker: its job would make the same pairs.
  const service = await startBenchService('api');
  const client = await service.connect();
  const result: Record<string, unknown> = {};
  try {
    await client.query('UPDATE mandanten SET zeitzone = $1', [eveningZone()]);
    let made = 0;
    for (const count of events) {
      await addEvents(client, service.mandant, shape, count - made);
      made = count;
      const pairs = await rebuildSums(client, service.mandant);
      result[count] = {
        ms: await measureAt(service),
        pairs_us_per_event: round((pairs * 1000) / count),
        bytes_per_event: await sizesOf(client, count),
      };
    }
    return result;
  } finally {
    await client.end();
    await service.stop();
  }
}

export async function measureQuery(runs: QueryRun[]) {
  const result: Record<string, unknown> = {};
  for (const run of runs) result[`${run.agents}x${run.customers}x${run.models}`] = await measureRun(run);
  return result;
}
