/** Past calls priced anew: what would change, the change, and the change beside a sender of the same Mandant. */
import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import { BATCH, createBatches, MANY } from './events.ts';
import { flood } from './flood.ts';
import { quantile, round } from './ingest.ts';
import { type BenchService, startBenchService } from './service.ts';
import { addEvents, addRuns, rebuildSums } from './traffic.ts';

const SHAPE = { agents: 200, customers: 2_000, models: 8 };
const PATH = '/v1/cockpit/preise';
const LOOK = 200;
/** Events of the sender beside, a second: much for one Mandant, and little. */
const PER_SECOND = { much: 3_000, little: 1_000 };
/** Milliseconds for which it sends alone, to compare. */
const QUIET = 15_000;

interface Repricing {
  neubepreisung_id: string;
  status: string;
  gelesen: number;
  geaendert: number;
}

async function ask<T>({ address, cookie }: BenchService, method: string, path: string, body?: object) {
  const answer = await fetch(`${address}${PATH}${path}`, {
    method,
    headers: { 'content-type': 'application/json', cookie },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  return (await answer.json()) as T;
}

/** Every model at this price for a million tokens of each kind. */
const setPrice = (service: BenchService, fassung: number, usd: string) =>
  ask(service, 'PUT', '', { fassung, preise: [{ modell: '*', saetze: { eingabe: usd, ausgabe: usd } }] });

/** Waits until it has come to this point; how many calls a second were looked at, and the CPU that each took. */
async function until(service: BenchService, id: string, status: string) {
  const begin = performance.now();
  const cpu = service.cpu();
  for (;;) {
    const {
      status: now,
      gelesen,
      geaendert,
    } = await ask<Repricing>(service, 'GET', `/neubepreisungen/${id}?limit=1`);
    if (now === status) {
      const seconds = (performance.now() - begin) / 1_000;
      return {
        calls: gelesen,
        changed: geaendert,
        seconds: round(seconds),
        per_second: round(gelesen / seconds),
        cpu_us_per_call: round(((service.cpu() - cpu) * 1e6) / gelesen),
      };
    }
    if (!['vorschau', 'laeuft'].includes(now)) throw new Error(`ended as ${now}`);
    await delay(LOOK);
  }
}

/** Works out what would change; resolves with that and what then applies it. */
async function reprice(service: BenchService, fassung: number, usd: string) {
  await setPrice(service, fassung, usd);
  const von = Temporal.Now.plainDateISO().subtract({ days: 60 }).toString();
  const { neubepreisung_id: id } = await ask<Repricing>(service, 'POST', '/neubepreisungen', { von });
  const preview = await until(service, id, 'bereit');
  const change = async () => {
    await ask(service, 'POST', `/neubepreisungen/${id}/anwenden`);
    return until(service, id, 'fertig');
  };
  return { preview, change };
}

/** Seconds that the batch which waits longest has waited, looked at until `isOver`. */
async function watchLag(client: pg.Client, isOver: () => boolean) {
  const lags: number[] = [];
  for (; !isOver(); await delay(LOOK)) {
    const { rows } = await client.query<{ lag: number }>(
      'SELECT coalesce(extract(epoch FROM clock_timestamp() - min(empfangen_am)), 0)::float8 AS lag FROM eingang',
    );
    lags.push(rows[0]?.lag ?? 0);
  }
  return { p50: quantile(lags, 0.5), p99: quantile(lags, 0.99), most: quantile(lags, 1) };
}

/** The same Mandant sends while `work` is under way. */
async function sendBeside<T>(
  service: BenchService,
  client: pg.Client,
  perSecond: number,
  work: () => Promise<T>,
) {
  const next = createBatches(MANY);
  let sent = 0;
  let over = false;
  const start = performance.now();
  const maySend = () => sent < ((performance.now() - start) / 1_000) * (perSecond / BATCH) && Boolean(++sent);
  const isOver = () => over;
  const flooding = flood(service, { connections: 8, isOver, next, maySend });
  const watching = watchLag(client, isOver);
  const [[worked], { eventsPerSecond, statuses }, lag] = await Promise.all([
    Promise.allSettled([work().finally(() => (over = true))]),
    flooding,
    watching,
  ]);
  if (worked.status === 'rejected') throw worked.reason;
  return { result: worked.value, lag_seconds: lag, accepted_events_per_second: eventsPerSecond, statuses };
}

/** A service whose Mandant has about `events` calls of 30 days. */
async function withCalls<T>(
  events: number,
  work: (service: BenchService, client: pg.Client) => Promise<T>,
): Promise<T> {
  const service = await startBenchService('all');
  const client = await service.connect();
  try {
    await addEvents(client, service.mandant, SHAPE, events);
    await addRuns(client, service.mandant);
    await rebuildSums(client, service.mandant);
    await service.checkpoint();
    return await work(service, client);
  } finally {
    await client.end();
    await service.stop();
  }
}

/** All of them change: first with nothing else to do, then beside a sender. */
export const measureReprice = (events: number) =>
  withCalls(events, async (service, client) => {
    const alone = await reprice(service, 0, '2');
    const change = await alone.change();
    const quiet = await sendBeside(service, client, PER_SECOND.much, () => delay(QUIET));
    const again = await reprice(service, 1, '3');
    const beside = await sendBeside(service, client, PER_SECOND.much, again.change);
    return { events, preview: alone.preview, change, sender_alone: quiet, beside_sender: beside };
  });

/** All of them change once, in one go, beside a sender. */
export const measureRepriceAll = (events: number) =>
  withCalls(events, async (service, client) => {
    const { preview, change } = await reprice(service, 0, '2');
    return { events, preview, beside_sender: await sendBeside(service, client, PER_SECOND.little, change) };
  });
