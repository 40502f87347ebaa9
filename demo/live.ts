/** Keeps events coming as time goes by, from the generator that made up the past. */
import { setTimeout as delay } from 'node:timers/promises';
import type { DemoEvent } from './call.ts';
import { batchesOf } from './fill.ts';
import type { ServiceClient } from './service-client.ts';
import { BUSINESS, PULSE, traffic, type World } from './traffic.ts';

const TICK_MS = 1_000;
/** After a longer pause (a laptop that slept) the pulse goes on with the present; only the business is made up for. */
const LONGEST_PAUSE_MS = 60_000;

/** Hands out the events before an instant (epoch milliseconds), each once. */
function createDue(events: Generator<DemoEvent, void>): (until: number) => DemoEvent[] {
  let next = events.next();
  return (until) => {
    const limit = new Date(until).toISOString();
    const due: DemoEvent[] = [];
    for (; !next.done && next.value.zeitpunkt < limit; next = events.next()) due.push(next.value);
    return due;
  };
}

/**
 * Sends what happens from `von` (epoch milliseconds) on until `signal` is aborted; `onSent` gets the instant before
 * which all is sent. Rejects when the service refuses the events.
 */
export async function runLive(
  client: ServiceClient,
  world: World,
  von: number,
  signal: AbortSignal,
  onSent: (until: number) => void,
): Promise<void> {
  const pulseFrom = (instant: number) =>
    createDue(traffic(world, PULSE, { von: instant, bis: Number.POSITIVE_INFINITY }));
  const business = createDue(traffic(world, BUSINESS, { von, bis: Number.POSITIVE_INFINITY }));
  let last = Date.now();
  let pulse = pulseFrom(last);
  while (!signal.aborted) {
    const now = Date.now();
    if (now - last > LONGEST_PAUSE_MS) pulse = pulseFrom(now);
    last = now;
    for (const batch of batchesOf([...business(now), ...pulse(now)])) await client.send(batch);
    onSent(now);
    await delay(TICK_MS, undefined, { signal });
  }
}
