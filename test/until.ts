import { setTimeout as delay } from 'node:timers/promises';

/** Between two tries at first, and at most: what has not come soon is not there sooner for being asked about fifty times a second. */
const [PAUSE, LONGEST] = [20, 100];

/**
 * Asks again and again until `check` answers something other than null, undefined or false, and returns that. Fails
 * after `timeoutMs`, naming what was waited for and what the last attempt threw, if it threw.
 */
export async function until<T>(
  what: string,
  check: () => Promise<T | null | undefined | false> | T | null | undefined | false,
  timeoutMs = 300_000,
): Promise<T> {
  const deadline = performance.now() + timeoutMs;
  for (let pause = PAUSE; ; pause = Math.min(pause * 1.25, LONGEST)) {
    let failure: unknown;
    try {
      const found = await check();
      if (found !== null && found !== undefined && found !== false) return found;
    } catch (error) {
      failure = error;
    }
    if (performance.now() > deadline) throw new Error(`waited in vain for: ${what}`, { cause: failure });
    await delay(pause);
  }
}
