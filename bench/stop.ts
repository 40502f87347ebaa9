/**
 * How long it takes from the call that crosses a limit until the block is seen: in the answer to the next call and in what is in
 * force. With nothing else to do, beside 5,000 events a second of the same Mandant, and beside senders as fast as they can be, of
 * another Mandant and of the same.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { BATCH, createBatches, MANY } from './events.ts';
import { flood } from './flood.ts';
import { quantile, round } from './ingest.ts';
import { type BenchService, startBenchService } from './service.ts';
import { makeMandanten } from './small.ts';

const CONNECTIONS = 32;
/** A run is stopped with its fourth call, an agent blocked when its budget is spent, which one of these calls does. */
const MOST_CALLS = 3;
const BUDGET_EUR = '0.01';
/** Milliseconds after which it is given up. */
const PATIENCE = 60_000;
/** Between two calls of a client that goes on. */
const CALL_EVERY = 25;

interface InForce {
  eingriffe: { objekt: string }[];
}

interface Probe {
  /** The run, or the agent, that is to be blocked. */
  objekt: string;
  calls(count: number): object[];
}

const call = (more: object) => ({
  ereignis_id: randomUUID(),
  zeitpunkt: new Date().toISOString(),
  anbieter: 'openai',
  modell: 'gpt-4o',
  eingabe_token: 10_000,
  ausgabe_token: 1_000,
  status: 'erfolgreich',
  ...more,
});

async function ask<T>(
  service: BenchService,
  path: string,
  init: { method?: string; body?: unknown; session?: boolean; etag?: string } = {},
): Promise<{ status: number; etag: string | null; body: T | null }> {
  const answer = await fetch(`${service.address}${path}`, {
    method: init.method ?? 'GET',
    headers: {
      'content-type': 'application/json',
      ...(init.session ? { cookie: service.cookie } : { authorization: `Bearer ${service.key}` }),
      ...(init.etag ? { 'if-none-match': init.etag } : {}),
    },
    ...(init.body === undefined ? {} : { body: JSON.stringify(init.body) }),
  });
  const text = await answer.text();
  if (answer.status >= 400 && answer.status !== 429 && answer.status !== 503)
    throw new Error(`${path}: ${answer.status} ${text}`);
  return {
    status: answer.status,
    etag: answer.headers.get('etag'),
    body: answer.status < 300 ? (JSON.parse(text) as T) : null,
  };
}

const send = (service: BenchService, ereignisse: object[]) =>
  ask<InForce>(service, '/v1/ereignisse', { method: 'POST', body: { ereignisse } });

/** What probes belong to: agents are named by it. */
const PROJECT = 'probe';

/** A run of an agent of its own. */
function createRun(): Probe {
  const objekt = randomUUID();
  let step = 0;
  return {
    objekt,
    calls: (count) =>
      Array.from({ length: count }, () => {
        step += 1;
        return call({ agent: `${PROJECT}/${objekt.slice(0, 8)}`, lauf_id: objekt, schritt_nr: step });
      }),
  };
}

/** An agent with a budget. */
async function createAgent(service: BenchService): Promise<Probe> {
  const objekt = `${PROJECT}/${randomUUID().slice(0, 8)}`;
  await send(service, [call({ agent: objekt, eingabe_token: 0, ausgabe_token: 0 })]);
  for (let agent_id: string | undefined; !agent_id; await delay(50)) {
    const { body } = await ask<{ agenten: { agent_id: string; schluessel: string }[] }>(
      service,
      `/v1/cockpit/agenten?suche=${encodeURIComponent(objekt)}`,
      { session: true },
    );
    agent_id = body?.agenten.find(({ schluessel }) => schluessel === objekt)?.agent_id;
    if (agent_id)
      await ask(service, `/v1/cockpit/agenten/${agent_id}/budget`, {
        method: 'PUT',
        body: { betrag_eur: BUDGET_EUR },
        session: true,
      });
  }
  return { objekt, calls: (count) => Array.from({ length: count }, () => call({ agent: objekt })) };
}

const names = ({ objekt }: Probe, list: InForce | null) =>
  list?.eingriffe.some((each) => each.objekt === objekt) ?? false;

/** Milliseconds until it is among what is in force, as a client hears of it that listens. */
async function untilInForce(service: BenchService, probe: Probe, start: number): Promise<number> {
  let etag = '';
  while (performance.now() - start < PATIENCE) {
    const answer = await ask<InForce>(service, '/v1/eingriffe/aktiv?warten=10', { etag });
    if (names(probe, answer.body)) return performance.now() - start;
    etag = answer.etag ?? '';
  }
  return PATIENCE;
}

/** Milliseconds until the answer to one of the next calls says it. */
async function untilAnswered(service: BenchService, probe: Probe, start: number): Promise<number> {
  for (; performance.now() - start < PATIENCE; await delay(CALL_EVERY)) {
    const answer = await send(service, probe.calls(1));
    if (names(probe, answer.body)) return performance.now() - start;
  }
  return PATIENCE;
}

const summary = (values: number[]) => ({
  p50: quantile(values, 0.5),
  p99: quantile(values, 0.99),
  most: round(Math.max(...values)),
});

/** One after the other, runs and agents in turn, while the load goes on. */
async function measureProbes(service: BenchService, isOver: () => boolean) {
  const taken = {
    run: { answer: [] as number[], list: [] as number[] },
    budget: { answer: [] as number[], list: [] as number[] },
  };
  for (let turn = 0; !isOver(); turn += 1) {
    const kind = turn % 2 === 0 ? 'run' : 'budget';
    const probe = kind === 'run' ? createRun() : await createAgent(service);
    const start = performance.now();
    await send(service, probe.calls(MOST_CALLS + 1));
    const [answer, list] = await Promise.all([
      untilAnswered(service, probe, start),
      untilInForce(service, probe, start),
    ]);
    taken[kind].answer.push(answer);
    taken[kind].list.push(list);
  }
  return {
    probes: taken.run.answer.length + taken.budget.answer.length,
    run_stopped_ms: { answer: summary(taken.run.answer), in_force: summary(taken.run.list) },
    budget_spent_ms: { answer: summary(taken.budget.answer), in_force: summary(taken.budget.list) },
  };
}

interface Load {
  /** Events a second; 0: none. */
  perSecond: number;
  key?: string;
}

async function measureUnder(service: BenchService, seconds: number, { perSecond, key }: Load) {
  const next = createBatches(MANY);
  let sent = 0;
  let over = false;
  const start = performance.now();
  const maySend = () => sent < ((performance.now() - start) / 1_000) * (perSecond / BATCH) && Boolean(++sent);
  const flooding =
    perSecond === 0
      ? delay(seconds * 1_000).then(() => null)
      : flood(service, {
          connections: CONNECTIONS,
          seconds,
          next,
          maySend,
          ...(key ? { key: () => key } : {}),
        });
  const probing = measureProbes(service, () => over);
  const load = await flooding;
  over = true;
  return {
    ...(await probing),
    ...(load ? { accepted_events_per_second: load.eventsPerSecond, statuses: load.statuses } : {}),
  };
}

/** Seconds under each load. */
export async function measureStop(seconds: number) {
  const service = await startBenchService();
  try {
    const client = await service.connect();
    const [other] = (await makeMandanten(client, 1)) as [string];
    await client.query('DELETE FROM regeln WHERE mandant_id = $1', [service.mandant]);
    // Of the load nothing is stopped: that would measure how fast thousands of runs are.
    await createAgent(service);
    for (const rule of [
      {
        typ: 'lauf_deckel',
        schwelle: MOST_CALLS,
        einheit: 'aufrufe',
        stufe: 'anhalten',
        geltungsbereich: 'projekt',
        bezug_id: PROJECT,
      },
      // No other agent has a budget.
      { typ: 'budget_schwelle', stufe: 'sperren' },
    ])
      await ask(service, '/v1/cockpit/regeln', {
        method: 'POST',
        body: { ...rule, schattenbetrieb: false },
        session: true,
      });
    const loads: Record<string, Load> = {
      alone: { perSecond: 0 },
      beside_5000_events_a_second: { perSecond: 5_000 },
      beside_another_as_fast_as_it_goes: { perSecond: Number.POSITIVE_INFINITY, key: other },
      beside_itself_as_fast_as_it_goes: { perSecond: Number.POSITIVE_INFINITY },
    };
    const measured: Record<string, unknown> = {};
    for (const [name, load] of Object.entries(loads)) {
      measured[name] = await measureUnder(service, seconds, load);
      for (let waiting = 1; waiting > 0; await delay(200)) {
        const { rows } = await client.query<{ n: number }>('SELECT count(*)::int AS n FROM eingang');
        waiting = rows[0]?.n ?? 0;
      }
    }
    await client.end();
    return measured;
  } finally {
    await service.stop();
  }
}
