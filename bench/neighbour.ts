/** One account floods with one kind of work after another; what another one waits for meanwhile, against what it waits in quiet. */
import { setTimeout as delay } from 'node:timers/promises';
import { ask, FLOODS, type Flood, type Sender } from './floods.ts';
import { round } from './ingest.ts';
import { makeAccount, PASSWORT, startBenchService } from './service.ts';

const QUIET_MAIL = 'ruhig@example.org';
/** Milliseconds until a flood has taken what it can get. */
const RISE = 1_000;
const JSON_BODY = { 'content-type': 'application/json' };

const batchOf = (agents: number, name: (index: number) => string) =>
  JSON.stringify({
    ereignisse: Array.from({ length: agents }, (_, index) => ({
      agent: name(index),
      anbieter: 'openai',
      modell: 'gpt-4o-mini',
      endkunde_ref: 'g',
      eingabe_token: 1_000 + index,
      ausgabe_token: 100,
    })),
  });

const sendBatch = (sender: Sender, body: string) =>
  ask(sender, '/v1/ereignisse', {
    method: 'POST',
    headers: { ...JSON_BODY, authorization: `Bearer ${sender.account.key}` },
    body,
  });

/** What the neighbour does. */
const WORK: Record<string, (sender: Sender) => Promise<number>> = {
  ingest: (sender) =>
    sendBatch(
      sender,
      batchOf(10, (index) => `a-${index}`),
    ),
  reading: (sender) => ask(sender, '/v1/cockpit/uebersicht?zeitraum=30tage'),
  login: ({ address }) =>
    ask({ address, account: { cookie: '', key: '', mandant: '' } }, '/v1/anmelden', {
      method: 'POST',
      headers: JSON_BODY,
      body: JSON.stringify({ email: QUIET_MAIL, passwort: PASSWORT }),
    }),
  document: (sender) => ask(sender, '/v1/cockpit/endkunden/g/abrechnung.pdf'),
};

type Statuses = Record<number, number>;

interface Taken {
  median_ms: number;
  statuses: Statuses;
}

/** Each kind of work `times` times, one after the other. */
async function takeTimes(sender: Sender, times: number): Promise<Record<string, Taken>> {
  const taken: Record<string, Taken> = {};
  for (const [name, work] of Object.entries(WORK)) {
    const durations: number[] = [];
    const statuses: Statuses = {};
    for (let time = 0; time < times; time += 1) {
      const start = performance.now();
      const status = await work(sender);
      durations.push(performance.now() - start);
      statuses[status] = (statuses[status] ?? 0) + 1;
    }
    const sorted = durations.sort((a, b) => a - b);
    taken[name] = { median_ms: round(sorted[Math.floor(times / 2)] ?? 0), statuses };
  }
  return taken;
}

/** Floods until the function it returns is called, which answers what the flooder got. */
function startFlood(sender: Sender, { connections, send }: Flood): () => Promise<Statuses> {
  let isOver = false;
  const statuses: Statuses = {};
  const lane = async () => {
    while (!isOver) {
      const status = await send(sender);
      statuses[status] = (statuses[status] ?? 0) + 1;
    }
  };
  const lanes = Array.from({ length: connections }, lane);
  return async () => {
    isOver = true;
    await Promise.all(lanes);
    return statuses;
  };
}

async function untilCounted(sender: Sender): Promise<void> {
  for (;;) {
    const answer = await fetch(`${sender.address}/v1/cockpit/uebersicht?zeitraum=30tage`, {
      headers: { cookie: sender.account.cookie },
    });
    const { summe } = (await answer.json()) as { summe?: { aufrufe: number } };
    if ((summe?.aufrufe ?? 0) > 0) return;
    await delay(200);
  }
}

/** The flooder has one end customer with this number of agents in the running month. */
export async function measureNeighbour(times: number, agents: number) {
  const service = await startBenchService();
  try {
    const { address } = service;
    const loud: Sender = { address, account: service };
    const quiet: Sender = { address, account: await makeAccount(address, QUIET_MAIL) };
    await sendBatch(
      loud,
      batchOf(agents, (index) => `agent-${index}`),
    );
    await sendBatch(
      quiet,
      batchOf(20, (index) => `a-${index}`),
    );
    for (const sender of [loud, quiet]) await untilCounted(sender);
    await takeTimes(quiet, 2);
    const beside: Record<string, unknown> = {};
    for (const [name, flood] of Object.entries(FLOODS)) {
      // In turn: what else the machine has to do changes.
      const alone = await takeTimes(quiet, times);
      const stop = startFlood(loud, flood);
      await delay(RISE);
      const taken = await takeTimes(quiet, times);
      const ratios = Object.entries(taken).map(([work, { median_ms, statuses }]) => [
        work,
        {
          quiet_ms: alone[work]?.median_ms,
          median_ms,
          times_quiet: round(median_ms / (alone[work]?.median_ms || 1)),
          statuses,
        },
      ]);
      beside[name] = { ...Object.fromEntries(ratios), flooder: await stop(), rss_mib: service.rss() };
    }
    return { agents, times, beside };
  } finally {
    await service.stop();
  }
}
