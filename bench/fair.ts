/**
 * 500 Mandanten at once, one of which floods: how long after its 202 a batch of the others is counted, without the flood and beside
 * it, in turns on one service. The flood is a share of what the service counts of one Mandant alone, measured first.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import { Pool } from 'undici';
import { hashOf } from '#platform/secret.ts';
import { type Batch, createBatches, createPicker, FEW, MANY } from './events.ts';
import { flood } from './flood.ts';
import { round } from './ingest.ts';
import { type BenchService, startBenchService } from './service.ts';
import { makeMandanten } from './small.ts';

const MANDANTEN = 500;
const QUIET_SIZES = [1, 2, 3, 4, 5];
/** Requests of all quiet Mandanten a second. */
const QUIET_RATE = 100;
const FLOOD_SIZE = 1_000;
const FLOOD_CONNECTIONS = 8;
/** How often it is looked which batches are counted, in milliseconds: lags are as exact as that. */
const LOOK_EVERY = 20;
/** Events of the flood that wait at most while that is measured. */
const MAX_WAITING = 60_000;

interface Lags {
  batches: number;
  p50_ms: number;
  p99_ms: number;
  max_ms: number;
  /** What the quiet ones were answered, by status. */
  statuses: Record<number, number>;
}

/** When the batches of quiet senders were acknowledged, until they are counted. */
class Outstanding {
  readonly #since = new Map<string, number>();
  readonly lags: number[] = [];

  add(eingangId: string): void {
    this.#since.set(eingangId, performance.now());
  }

  get size(): number {
    return this.#since.size;
  }

  /** Those that are not in the inbox any more are counted. */
  async look(client: pg.Client): Promise<void> {
    const asked = [...this.#since.keys()];
    if (asked.length === 0) return;
    const { rows } = await client.query<{ id: string }>(
      'SELECT eingang_id AS id FROM eingang WHERE eingang_id = ANY($1)',
      [asked],
    );
    const now = performance.now();
    const waiting = new Set(rows.map(({ id }) => id));
    for (const id of asked) {
      if (waiting.has(id)) continue;
      this.lags.push(now - (this.#since.get(id) as number));
      this.#since.delete(id);
    }
  }
}

const share = (sorted: number[], part: number): number =>
  Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0);

/** Quiet senders for `seconds`, at a steady pace whatever the answers take; which of them sends follows Zipf's law. */
async function sendQuietly(
  service: BenchService,
  client: pg.Client,
  { keys, next, seconds }: { keys: string[]; next: () => Batch; seconds: number },
): Promise<Lags> {
  const pool = new Pool(service.address, { connections: 64, pipelining: 1 });
  const pick = createPicker(keys.length, true);
  const outstanding = new Outstanding();
  const statuses: Record<number, number> = {};
  const send = async () => {
    const { statusCode, body } = await pool.request({
      method: 'POST',
      path: '/v1/ereignisse',
      headers: { authorization: `Bearer ${keys[pick()]}`, 'content-type': 'application/json' },
      body: next().bytes,
    });
    const answer = (await body.json()) as { eingang_id?: string };
    statuses[statusCode] = (statuses[statusCode] ?? 0) + 1;
    if (answer.eingang_id) outstanding.add(answer.eingang_id);
  };
  const start = performance.now();
  const sending: Promise<void>[] = [];
  let isSending = true;
  const watch = async () => {
    for (; isSending || outstanding.size > 0; await delay(LOOK_EVERY)) await outstanding.look(client);
  };
  const watched = watch();
  while (performance.now() - start < seconds * 1_000) {
    while (sending.length < ((performance.now() - start) / 1_000) * QUIET_RATE) sending.push(send());
    await delay(2);
  }
  await Promise.all(sending);
  isSending = false;
  await watched;
  await pool.close();
  const lags = outstanding.lags.sort((a, b) => a - b);
  return {
    batches: lags.length,
    p50_ms: share(lags, 0.5),
    p99_ms: share(lags, 0.99),
    max_ms: Math.round(lags.at(-1) ?? 0),
    statuses,
  };
}

const countedSoFar = async (client: pg.Client): Promise<number> => {
  const { rows } = await client.query<{ counted: number }>(
    'SELECT coalesce(sum(ereignisse_gesamt), 0)::float8 AS counted FROM zaehlstaende',
  );
  return rows[0]?.counted ?? 0;
};

async function untilNothingWaits(client: pg.Client): Promise<void> {
  for (;;) {
    const { rows } = await client.query<{ some: boolean }>('SELECT EXISTS (SELECT FROM eingang) AS some');
    if (!rows[0]?.some) return;
    await delay(50);
  }
}

/** Events a second that the service counts of one Mandant that sends as much as it can. */
async function measureFull(service: BenchService, client: pg.Client, key: string, seconds: number) {
  const next = createBatches(MANY, [FLOOD_SIZE]);
  const before = await countedSoFar(client);
  let accepted = 0;
  let counted = 0;
  let watching = true;
  const watch = async () => {
    for (; watching; await delay(100)) counted = (await countedSoFar(client)) - before;
  };
  const watched = watch();
  const start = performance.now();
  await flood(service, {
    connections: FLOOD_CONNECTIONS,
    seconds,
    next,
    key: () => key,
    maySend: () => accepted - counted < MAX_WAITING,
    onAccepted: (events) => {
      accepted += events;
    },
  });
  watching = false;
  await watched;
  await untilNothingWaits(client);
  return accepted / ((performance.now() - start) / 1_000);
}

/** The flood at `perSecond` events a second; as fast as it goes where that is null. */
function floodAt(service: BenchService, key: string, perSecond: number | null, seconds: number) {
  const next = createBatches(MANY, [FLOOD_SIZE]);
  const start = performance.now();
  let sent = 0;
  return flood(service, {
    connections: FLOOD_CONNECTIONS,
    seconds,
    key: () => key,
    maySend: () => perSecond === null || sent < ((performance.now() - start) / 1_000) * perSecond,
    next: () => {
      sent += FLOOD_SIZE;
      return next();
    },
  });
}

/** Floods at these shares of what the service counts alone; at null as fast as it goes. */
const FLOODS: Record<string, number | null> = { half: 0.5, three_quarters: 0.75, unbounded: null };

/**
 * Rounds of: the others alone, then beside a flood of each size, then beside one whose Mandant has a quota of a minute's worth of a tenth of
 * what the service counts.
 */
export async function measureFair(seconds: number, rounds: number) {
  const service = await startBenchService();
  try {
    const client = await service.connect();
    const [loud = '', ...keys] = await makeMandanten(client, MANDANTEN);
    const next = createBatches(FEW, QUIET_SIZES);
    const quiet = () => sendQuietly(service, client, { keys, next, seconds });
    await sendQuietly(service, client, { keys, next, seconds: 5 });
    const full = await measureFull(service, client, loud, seconds);
    const beside = async (perSecond: number | null) => {
      const flooding = floodAt(service, loud, perSecond, seconds);
      const lags = await quiet();
      const { eventsPerSecond, statuses } = await flooding;
      await untilNothingWaits(client);
      return { ...lags, flood: { accepted_events_per_second: eventsPerSecond, statuses } };
    };
    const measured: Record<string, unknown>[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const windows: Record<string, unknown> = { alone: await quiet() };
      for (const [name, part] of Object.entries(FLOODS))
        windows[name] = await beside(part === null ? null : full * part);
      await setQuota(client, loud, Math.round(full * 6));
      windows.unbounded_with_quota = await beside(null);
      await setQuota(client, loud, null);
      measured.push(windows);
    }
    await client.end();
    return {
      counted_alone_events_per_second: round(full),
      quiet_requests_per_second: QUIET_RATE,
      rounds: measured,
    };
  } finally {
    await service.stop();
  }
}

/** Sets how many events a minute the Mandant of a key may send; holds for a second at the latest. */
async function setQuota(client: pg.Client, key: string, perMinute: number | null): Promise<void> {
  await client.query(
    'UPDATE mandanten SET ereignisse_je_minute = $2 FROM schluessel s WHERE s.mandant_id = mandanten.mandant_id AND s.hash = $1',
    [hashOf(key), perMinute],
  );
  await delay(1_100);
}
