/** The agent that gets stuck before everybody's eyes: it makes the same call again and again, until it is told to stop. */
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { createRandom } from './random.ts';
import { createStuckRun } from './runaway.ts';
import type { Eingriff, ServiceClient } from './service-client.ts';

export interface Pace {
  /** Milliseconds until the first loop, and between two. */
  first: number;
  every: number;
  /** Milliseconds between two calls. */
  step: number;
  /** Calls after which it gives up by itself. */
  longest: number;
}

export const PACE: Pace = { first: 40_000, every: 20 * 60_000, step: 1_500, longest: 60 };

/** What became of a loop. */
export interface Looped {
  lauf: string;
  calls: number;
  /** What stopped it; null when nothing did. */
  eingriff: Eingriff | null;
}

const isAbout = (lauf: string, { stufe, objekt_art, objekt }: Eingriff): boolean =>
  (stufe === 'anhalten' || stufe === 'sperren') && (objekt_art !== 'lauf' || objekt === lauf);

/** One run that got stuck; it obeys as the client of the SDK does: no further call once it is stopped. */
export async function loopOnce(
  client: Pick<ServiceClient, 'send'>,
  pace: Pace,
  signal: AbortSignal,
): Promise<Looped> {
  const run = createStuckRun(randomUUID, createRandom(randomUUID()));
  for (let calls = 1; calls <= pace.longest; calls += 1) {
    const orders = await client.send([run.next(Date.now())]);
    const order = orders.find((each) => isAbout(run.lauf, each));
    if (order) return { lauf: run.lauf, calls, eingriff: order };
    await delay(pace.step, undefined, { signal });
  }
  return { lauf: run.lauf, calls: pace.longest, eingriff: null };
}

/** Lets it happen now and then until `signal` is aborted (then it rejects with the abort). */
export async function loopNowAndThen(
  client: ServiceClient,
  pace: Pace,
  signal: AbortSignal,
  onLooped: (looped: Looped) => Promise<void>,
): Promise<never> {
  await delay(pace.first, undefined, { signal });
  for (;;) {
    await onLooped(await loopOnce(client, pace, signal));
    await delay(pace.every, undefined, { signal });
  }
}
