/** Ingest: what is accepted, what is counted, and how much memory the service takes for it. */
import { setTimeout as delay } from 'node:timers/promises';
import { measureBaseline } from './baseline.ts';
import { BATCH, type Batch, createBatches, FEW } from './events.ts';
import { flood } from './flood.ts';
import { watchMemory } from './memory.ts';
import { type BenchService, startBenchService } from './service.ts';

const CONNECTIONS = 32;

/** Asked of the database: a question to the service costs what hundreds of calls do. */
async function countedSoFar(service: BenchService): Promise<number> {
  const { rows } = await (await service.watcher()).query<{ counted: number }>(
    'SELECT coalesce(sum(ereignisse_gesamt), 0)::float8 AS counted FROM zaehlstaende WHERE mandant_id = $1',
    [service.mandant],
  );
  return rows[0]?.counted ?? 0;
}

/** Milliseconds between two questions how far counting is. */
const LOOK_EVERY = 50;

/** Asks every `pause` milliseconds. */
export async function waitUntilCounted(
  service: BenchService,
  events: number,
  pause = LOOK_EVERY,
): Promise<void> {
  while ((await countedSoFar(service)) < events) await delay(pause);
}

/** Accepted events per second with counting running beside, and with counting switched off. */
export async function measureAccepted(seconds: number, role: 'all' | 'api') {
  const service = await startBenchService(role);
  try {
    const next = createBatches();
    await flood(service, { connections: CONNECTIONS, seconds: 3, next });
    const result = await flood(service, { connections: CONNECTIONS, seconds, next });
    return { events_per_second: result.eventsPerSecond, statuses: result.statuses, rss_mib: service.rss() };
  } finally {
    await service.stop();
  }
}

/**
 * Senders pause while this many events wait or are on their way: measured is the whole way, not the depth of the inbox, nor what refusing costs. Of a
 * Mandant with rules that act, as everyone begins with, 10,000 may wait, what came in the tenth of a second since the last look among them
 * (decision 0089); of one without there is no bound.
 */
const MOST_WAITING = { armed: 8_000, unarmed: 60_000 };
type Waiting = keyof typeof MOST_WAITING;

/** What counting is kept busy with: for `seconds`, or until `events` are accepted. */
interface Load {
  next: () => Batch;
  /** Events accepted before, all of them counted. */
  before: number;
  seconds?: number;
  events?: number;
  waiting?: Waiting;
}

/** Looks at how far counting is until `stop`. */
function watchCounting(service: BenchService, from: number) {
  let seen = from;
  let watching = true;
  const watched = (async () => {
    for (; watching; await delay(LOOK_EVERY)) seen = await countedSoFar(service);
  })();
  return {
    seen: () => seen,
    stop() {
      watching = false;
      return watched;
    },
  };
}

/** Senders keep counting busy; resolves with what was counted, how long that took to the last event, its CPU, and the most memory meanwhile. */
async function countFor(service: BenchService, load: Load) {
  const {
    next,
    before,
    seconds = Number.POSITIVE_INFINITY,
    events = Number.POSITIVE_INFINITY,
    waiting = 'armed',
  } = load;
  const watch = watchCounting(service, before);
  const memory = watchMemory(service);
  const start = performance.now();
  const elapsed = () => (performance.now() - start) / 1000;
  const spent = service.cpu();
  let accepted = before;
  let onTheWay = 0;
  const answered = (count: number) => {
    onTheWay -= count;
  };
  const { statuses } = await flood(service, {
    connections: CONNECTIONS,
    isOver: () => elapsed() >= seconds || accepted - before >= events,
    next: () => {
      const batch = next();
      onTheWay += batch.events;
      return batch;
    },
    maySend: () => accepted + onTheWay - watch.seen() < MOST_WAITING[waiting],
    onAccepted: (count) => {
      accepted += count;
      answered(count);
    },
    onRefused: answered,
  });
  await waitUntilCounted(service, accepted);
  await watch.stop();
  const counted = accepted - before;
  return {
    events: counted,
    seconds: Math.round(elapsed()),
    events_per_second: Math.round(counted / elapsed()),
    cpu_us_per_event: round(((service.cpu() - spent) * 1e6) / counted),
    statuses,
    memory_mib: await memory.stop(),
  };
}

/** Has the service count something first; resolves with how many events that were. */
async function warmUp(service: BenchService, next: () => Batch): Promise<number> {
  return (await countFor(service, { seconds: 3, next, before: 0 })).events;
}

/** Events that a service has which no longer begins: what grows with them (statistics, vacuuming, indexes) has grown. */
const FILLED = { full: 1_000_000, short: 100_000 };
/** Windows shorter than that only show whether it runs. */
const FULL_SECONDS = 60;

/** A window of a service that begins empty, and one of the same service once it has a million events (with shorter windows fewer). */
export async function measureEmptyAndFilled(service: BenchService, next: () => Batch, seconds: number) {
  const warm = await warmUp(service, next);
  const empty = await countFor(service, { seconds, next, before: warm });
  const filled = FILLED[seconds < FULL_SECONDS ? 'short' : 'full'];
  let before = warm + empty.events;
  if (before < filled) before += (await countFor(service, { events: filled - before, next, before })).events;
  const then = await countFor(service, { seconds, next, before });
  return { empty, filled: { events_before: before, ...then } };
}

/** Milliseconds until the service has taken notice of other rules. */
const SETTLE_MS = 3_000;

/**
 * Events from the first byte sent until the last event is counted, of a Mandant with the rules that everyone begins with, and of the same one without
 * rules that act. `live`: as the SDK sends them.
 */
export async function measureCounted(seconds: number, cardinality = FEW, live = false) {
  const service = await startBenchService();
  try {
    const next = createBatches(cardinality, [BATCH], live);
    const { empty, filled } = await measureEmptyAndFilled(service, next, seconds);
    const client = await service.connect();
    await client.query('UPDATE regeln SET aktiv = false');
    await delay(SETTLE_MS);
    const before = filled.events_before + filled.events;
    const unarmed = await countFor(service, { seconds, next, before, waiting: 'unarmed' });
    const baseline = await measureBaseline(client, service, 300_000);
    await client.end();
    const ratioTo = (rate: number) => round(empty.events_per_second / rate);
    return {
      empty,
      filled,
      unarmed,
      baseline,
      ratio: { table: ratioTo(baseline.table), all_keys: ratioTo(baseline.all_keys) },
    };
  } finally {
    await service.stop();
  }
}

export const round = (value: number): number => Math.round(value * 100) / 100;

/** The value that this share of the others is not above, rounded; -1 of none. */
export const quantile = (values: number[], share: number): number =>
  round(
    values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? -1,
  );

export const median = (values: number[]): number =>
  values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
