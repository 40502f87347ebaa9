/** Consumption of 30 days in every grouping, with filters, and the overview, by cardinality and number of calls. */
import type pg from 'pg';
import { round } from './ingest.ts';
import { makePieces } from './month-of-pieces.ts';
import { type BenchService, startBenchService } from './service.ts';
import type { Cardinality } from './traffic.ts';

const REQUESTS = 200;
/** Answers that take long are asked for less often. */
const MAX_SECONDS = 4;
/** How long all that there is may take to be read by the engine. */
const LOAD_SECONDS = 300;

const query = (parameters: Record<string, string | readonly string[]>) => {
  const asked = new URLSearchParams();
  for (const [name, values] of Object.entries(parameters))
    for (const value of [values].flat()) asked.append(name, value);
  return `/v1/api/verbrauch?${asked}`;
};

const MOST = { agent: 'agent-1', endkunde: 'EK-1', modell: 'modell-1' };
const TWO = { agent: ['agent-1', 'agent-3'], modell: ['modell-1', 'modell-2'] };

/** What is grouped by, without a filter. */
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
  'agent,modell',
  'endkunde,modell',
  'agent,endkunde',
  'tag,modell',
  'agent,modell,funktion',
  'endkunde,modell,funktion',
  'agent,endkunde,benutzer',
];
/** What is grouped by, with these filters. */
const FILTERED: [filters: Record<string, string | readonly string[]>, gruppe: string][] = [
  [{ agent: MOST.agent }, 'modell'],
  [{ agent: MOST.agent }, 'endkunde'],
  [{ endkunde: MOST.endkunde }, 'agent'],
  [{ modell: MOST.modell }, 'endkunde'],
  [{ modell: MOST.modell }, 'stunde'],
  [{ agent: MOST.agent, modell: MOST.modell }, 'funktion'],
  [TWO, 'funktion'],
  [TWO, 'endkunde'],
  [TWO, 'tag,endkunde'],
  [{ endkunde: MOST.endkunde }, 'agent,modell'],
  [{ modell: MOST.modell }, 'agent,funktion'],
];

const QUESTIONS: Record<string, string> = {
  ...Object.fromEntries(GROUPS.map((gruppe) => [gruppe, query({ gruppe })])),
  ...Object.fromEntries(
    FILTERED.map(([filters, gruppe]) => [
      `${gruppe} of ${Object.values(filters).flat().join(' ')}`,
      query({ ...filters, gruppe }),
    ]),
  ),
  uebersicht: '/v1/cockpit/uebersicht?zeitraum=30tage',
  uebersicht_tag: '/v1/uebersicht/tag',
};

/** Milliseconds until an answer, and of CPU of the engine for each of them: null where its process was replaced meanwhile. */
async function times(service: BenchService, work: () => Promise<unknown>) {
  const durations: number[] = [];
  const [engine, before] = [service.engine.pid(), service.engine.cpu()];
  const until = performance.now() + MAX_SECONDS * 1000;
  while (durations.length < REQUESTS && performance.now() < until) {
    const start = performance.now();
    await work();
    durations.push(performance.now() - start);
  }
  const cpu = service.engine.cpu() - before;
  durations.sort((a, b) => a - b);
  const at = (share: number) => round(durations[Math.floor((durations.length - 1) * share)] as number);
  return {
    p50: at(0.5),
    p99: at(0.99),
    engine_cpu: engine === service.engine.pid() ? round((cpu * 1000) / durations.length) : null,
    requests: durations.length,
  };
}

type Ask = (path: string) => Promise<number>;

/** Asks until the engine has read all that there is: what does not fit into the time of one question stays read. */
async function load(service: BenchService, ask: Ask) {
  const start = performance.now();
  const path = query({ gruppe: 'agent' });
  let answers = 1;
  while ((await ask(path)) !== 200) {
    if (performance.now() - start > LOAD_SECONDS * 1000)
      throw new Error('the engine does not get to its end');
    answers += 1;
  }
  return { ms: round(performance.now() - start), cpu_s: round(service.engine.cpu()), answers };
}

async function measureAt(service: BenchService) {
  const headers = { authorization: `Bearer ${service.key}`, cookie: service.cookie };
  const ask = async (path: string) => {
    const answer = await fetch(`${service.address}${path}`, { headers });
    await answer.arrayBuffer();
    return answer.status;
  };
  const loaded = await load(service, ask);
  const questions: Record<string, unknown> = {};
  for (const [name, path] of Object.entries(QUESTIONS)) {
    // The first one tells how many groups there are, by which the next are asked.
    const statuses = [await ask(path), await ask(path)];
    questions[name] = statuses.every((status) => status === 200)
      ? await times(service, () => ask(path))
      : { refused: statuses };
  }
  return { loaded, ms: questions, pss_mib: service.pss() };
}

const SIZES = `SELECT relname AS table, pg_total_relation_size(oid)::float8 AS bytes FROM pg_class
  WHERE relkind = 'r' AND relname IN ('verbrauch_stuecke', 'merkmale') ORDER BY 1`;

async function sizesOf(client: pg.Client, calls: number): Promise<Record<string, number>> {
  const { rows } = await client.query<{ table: string; bytes: number }>(SIZES);
  return Object.fromEntries(rows.map(({ table, bytes }) => [table, round(bytes / calls)]));
}

export interface QueryRun extends Cardinality {
  /** Numbers of calls, ascending. */
  calls: number[];
}

/** Reads `20x5x4:1000000,10000000`. */
export function parseRun(text: string): QueryRun {
  const [shape = '', calls = ''] = text.split(':');
  const [agents = 0, customers = 0, models = 0] = shape.split('x').map(Number);
  return { agents, customers, models, calls: calls.split(',').map(Number) };
}

export const RUNS = ['20x5x4:1000000', '2000x20000x8:5000000,10000000'].map(parseRun);

/** A zone in which it is 22 hours and some minutes: late in the evening there is most of the day that is not over. */
function eveningZone(): string {
  const ahead = 22 - new Date().getUTCHours();
  const offset = ahead > 14 ? ahead - 24 : ahead;
  // These names count westwards.
  return `Etc/GMT${offset > 0 ? '-' : '+'}${Math.abs(offset)}`;
}

async function measureRun({ calls: counts, ...shape }: QueryRun) {
  const result: Record<string, unknown> = {};
  for (const calls of counts) {
    // No worker, which would look after the same pieces.
    const service = await startBenchService('api');
    const client = await service.connect();
    try {
      const zone = eveningZone();
      await client.query('UPDATE mandanten SET zeitzone = $1', [zone]);
      const start = performance.now();
      await makePieces(client, service.mandant, { ...shape, calls, zone });
      const made_ms = round(performance.now() - start);
      result[calls] = {
        made_ms,
        ...(await measureAt(service)),
        bytes_per_call: { ...(await sizesOf(client, calls)), engine: round(service.engine.bytes() / calls) },
      };
    } finally {
      await client.end();
      await service.stop();
    }
  }
  return result;
}

export async function measureQuery(runs: QueryRun[]) {
  const result: Record<string, unknown> = {};
  for (const run of runs) result[`${run.agents}x${run.customers}x${run.models}`] = await measureRun(run);
  return result;
}
