/** Sends a stretch of the past, several batches at a time, and waits until it is counted. */
import { setTimeout as delay } from 'node:timers/promises';
import type { DemoEvent } from './call.ts';
import type { ServiceClient } from './service-client.ts';

export interface FillListener {
  /** How many events have been accepted, and the instant before which nothing is missing (epoch milliseconds). */
  onAccepted(events: number, until: number): void;
  /** How many events have been counted since the fill began. */
  onCounted(events: number): void;
}

const BATCH = 1_000;
const IN_PARALLEL = 3;
const POLL_MS = 250;

export function* batchesOf(events: Iterable<DemoEvent>): Generator<DemoEvent[], void> {
  let batch: DemoEvent[] = [];
  for (const event of events) {
    batch.push(event);
    if (batch.length < BATCH) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

async function sendAll(
  client: ServiceClient,
  events: Iterable<DemoEvent>,
  listener: FillListener,
): Promise<void> {
  const batches = batchesOf(events);
  /** Batches in the order they were taken; those in front that are accepted leave it. */
  const open: { until: number; accepted: boolean }[] = [];
  let accepted = 0;
  const lane = async () => {
    for (const batch of batches) {
      const entry = { until: Date.parse(batch.at(-1)?.zeitpunkt ?? ''), accepted: false };
      open.push(entry);
      await client.send(batch);
      entry.accepted = true;
      accepted += batch.length;
      while (open[0]?.accepted) listener.onAccepted(accepted, open.shift()?.until ?? entry.until);
    }
  };
  await Promise.all(Array.from({ length: IN_PARALLEL }, lane));
}

/**
 * Sends the events, which must come in the order of time, and resolves when all of them are counted. Rejects when the
 * service refuses them.
 */
export async function fill(
  client: ServiceClient,
  events: Iterable<DemoEvent>,
  listener: FillListener,
): Promise<void> {
  const before = await client.counted();
  const ending = new AbortController();
  let sentAt = Number.POSITIVE_INFINITY;
  const sending = async () => {
    await sendAll(client, events, listener);
    sentAt = Date.now();
  };
  const counting = async () => {
    while ((await client.countedUntil()) < sentAt) {
      listener.onCounted((await client.counted()) - before);
      await delay(POLL_MS, undefined, { signal: ending.signal });
    }
  };
  try {
    await Promise.all([sending(), counting()]);
  } finally {
    ending.abort();
  }
}
