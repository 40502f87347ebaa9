/** Ingest: what is accepted, what is counted, and how much memory the service takes for it. */
import { setTimeout as delay } from 'node:timers/promises';
import { measureBaseline } from './baseline.ts';
import { BATCH, type Batch, createBatches, FEW } from './events.ts';
import { flood } from './flood.ts';
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

/** Asks every `pause` milliseconds. */
export async function waitUntilCounted(service: BenchService, events: number, pause = 50): Promise<void> {
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
 * Senders pause while this many events wait to be counted: measured is the whole way, not the depth of the inbox, nor what refusing costs. Of a
 * Mandant with rules that act, as everyone begins with, 10,000 may wait, what came in the tenth of a second since the last look among them (decision 0089).
 */
const MAX_WAITING = 6_000;

/**
 * Senders keep counting busy for `seconds`, or send `perSecond` events a second; resolves with what was counted, and how long
 * that took to the last event.
 */
export async function countFor(
  service: BenchService,
  {
    seconds,
    next,
    before,
    perSecond = Number.POSITIVE_INFINITY,
  }: { seconds: number; next: () => Batch; before: number; perSecond?: number },
): Promise<{ events: number; seconds: number; memory: number[]; statuses: Record<number, number> }> {
  let accepted = before;
  let seen = accepted;
  const memory: number[] = [];
  let watching = true;
  const watch = async () => {
    // At a given pace nobody needs to know at once, and the question costs more than much of what is measured.
    for (; watching; await delay(perSecond < Number.POSITIVE_INFINITY ? 1_000 : 50)) {
      seen = await countedSoFar(service);
      memory.push(service.rss());
    }
  };
  const watched = watch();
  const start = performance.now();
  let sent = 0;
  const isDue = () => sent / perSecond <= (performance.now() - start) / 1000;
  const { statuses } = await flood(service, {
    connections: CONNECTIONS,
    seconds,
    next: () => {
      const batch = next();
      sent += batch.events;
      return batch;
    },
    maySend: () => isDue() && accepted - seen < MAX_WAITING,
    onAccepted: (events) => {
      accepted += events;
    },
  });
  await waitUntilCounted(service, accepted);
  const elapsed = (performance.now() - start) / 1000;
  watching = false;
  await watched;
  return { events: accepted - before, seconds: elapsed, memory, statuses };
}

/** Has the service count something first; resolves with how many events that were. */
export async function warmUp(service: BenchService, next: () => Batch): Promise<number> {
  const warm = await flood(service, { connections: CONNECTIONS, seconds: 3, next });
  await waitUntilCounted(service, warm.acceptedEvents);
  return warm.acceptedEvents;
}

/**
 * Events per second from the first byte sent until the last event is visible in /v1/api/verbrauch. `live`: as the SDK
 * sends them.
 */
export async function measureCounted(seconds: number, cardinality = FEW, live = false) {
  const service = await startBenchService();
  try {
    const next = createBatches(cardinality, [BATCH], live);
    const before = await warmUp(service, next);
    const cpuBefore = service.cpu();
    const counted = await countFor(service, { seconds, next, before });
    const cpu = service.cpu() - cpuBefore;
    const client = await service.connect();
    const baseline = await measureBaseline(client, service, 300_000);
    await client.end();
    const { events, memory } = counted;
    const rate = Math.round(events / counted.seconds);
    return {
      events_per_second: rate,
      seconds: Math.round(counted.seconds),
      events,
      statuses: counted.statuses,
      cpu_us_per_event: round((cpu * 1e6) / events),
      baseline,
      ratio: { table: round(rate / baseline.table), all_keys: round(rate / baseline.all_keys) },
      rss_mib: {
        start: memory[0],
        middle: memory[memory.length >> 1],
        end: memory.at(-1),
        most: Math.max(...memory),
      },
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
