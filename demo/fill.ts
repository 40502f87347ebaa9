/** Sends a stretch of the past, several batches at a time, and waits until it is counted. */
import { setTimeout as delay } from 'node:timers/promises';
import type { DemoEvent } from './call.ts';
import type { ServiceClient } from './service-client.ts';

export interface FillListener {
  /** How many events of this fill have been accepted without a gap, and up to which instant (epoch milliseconds). */
  onAccepted(events: number, until: number): void;
  /** How many events of the Mandant are counted by now. */
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

/** Waits for all, even when one fails: a service that is stopped has to have answered what it was asked. */
async function allOf(promises: Promise<void>[]): Promise<void> {
  const results = await Promise.allSettled(promises);
  const failure = results.find((result) => result.status === 'rejected');
  if (failure) throw failure.reason;
}

async function sendAll(
  client: ServiceClient,
  events: Iterable<DemoEvent>,
  listener: FillListener,
): Promise<void> {
  const batches = batchesOf(events);
  /** Batches in the order they were taken; those in front that are accepted leave it. */
  const open: { events: number; until: number; accepted: boolean }[] = [];
  let accepted = 0;
  const reportFront = () => {
    for (let front = open[0]; front?.accepted; front = open[0]) {
      open.shift();
      accepted += front.events;
      listener.onAccepted(accepted, front.until);
    }
  };
  const lane = async () => {
    for (const batch of batches) {
      const until = Date.parse(batch.at(-1)?.zeitpunkt ?? '');
      const entry = { events: batch.length, until, accepted: false };
      open.push(entry);
      await client.send(batch);
      entry.accepted = true;
      reportFront();
    }
  };
  await allOf(Array.from({ length: IN_PARALLEL }, lane));
}

/**
 * Sends the events, which must come in the order of time, and resolves when all of them are counted. Rejects when the
 * service refuses them or the client has ended.
 */
export async function fill(
  client: ServiceClient,
  events: Iterable<DemoEvent>,
  listener: FillListener,
): Promise<void> {
  const ending = new AbortController();
  let sentAt = Number.POSITIVE_INFINITY;
  const sending = async () => {
    try {
      await sendAll(client, events, listener);
      sentAt = Date.now();
    } catch (error) {
      ending.abort();
      throw error;
    }
  };
  const counting = async () => {
    while ((await client.countedUntil()) < sentAt) {
      listener.onCounted(await client.counted());
      await delay(POLL_MS, undefined, { signal: ending.signal });
    }
    listener.onCounted(await client.counted());
  };
  await allOf([sending(), counting()]);
}
