/** Ingest: what is accepted, what is counted, and how much memory the service takes for it. */
import { setTimeout as delay } from 'node:timers/promises';
import { measureBaseline } from './baseline.ts';
import { createBatches } from './events.ts';
import { flood } from './flood.ts';
import { type BenchService, startBenchService } from './service.ts';

const CONNECTIONS = 12;

async function countedSoFar(service: BenchService): Promise<number> {
  const answer = await fetch(`${service.address}/v1/api/verbrauch`, {
    headers: { authorization: `Bearer ${service.key}` },
  });
  return ((await answer.json()) as { summe: { aufrufe: number } }).summe.aufrufe;
}

async function waitUntilCounted(service: BenchService, events: number): Promise<void> {
  while ((await countedSoFar(service)) < events) await delay(50);
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
 * Counted end to end: senders push as fast as counting keeps up (the backlog stays below a second or two), and every event
 * sent within the window is visible in /v1/api/verbrauch at its end.
 */
export async function measureCounted(seconds: number) {
  const service = await startBenchService();
  try {
    const next = createBatches();
    const memory: number[] = [];
    const warm = await flood(service, { connections: CONNECTIONS, seconds: 3, next });
    await waitUntilCounted(service, warm.acceptedEvents);
    const start = performance.now();
    let accepted = warm.acceptedEvents;
    while (performance.now() - start < seconds * 1000) {
      const burst = await flood(service, { connections: CONNECTIONS, seconds: 1, next });
      accepted += burst.acceptedEvents;
      memory.push(service.rss());
      // Never more than one burst ahead: what is measured is the whole way, not the depth of the inbox.
      while ((await countedSoFar(service)) < accepted - burst.acceptedEvents / 2) await delay(20);
    }
    await waitUntilCounted(service, accepted);
    const elapsed = (performance.now() - start) / 1000;
    const client = await service.connect();
    const baseline = await measureBaseline(client, service.mandant, 300_000);
    await client.end();
    const rate = Math.round((accepted - warm.acceptedEvents) / elapsed);
    return {
      events_per_second: rate,
      seconds: Math.round(elapsed),
      events: accepted - warm.acceptedEvents,
      baseline,
      ratio: { table: round(rate / baseline.table), all_keys: round(rate / baseline.all_keys) },
      rss_mib: { first: memory[0], last: memory.at(-1), most: Math.max(...memory) },
    };
  } finally {
    await service.stop();
  }
}

export const round = (value: number): number => Math.round(value * 100) / 100;
