import { setTimeout as delay } from 'node:timers/promises';

const PAUSE = 20;

/**
 * Asks again and again until `check` answers something other than null, undefined or false, and returns that. Fails
 * after `timeoutMs`, naming what was waited for and what the last attempt threw, if it threw.
 */
export async function until<T>(
  what: string,
  check: () => Promise<T | null | undefined | false> | T | null | undefined | false,
  timeoutMs = 90_000,
): Promise<T> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    let failure: unknown;
    try {
      const found = await check();
      if (found !== null && found !== undefined && found !== false) return found;
    } catch (error) {
      failure = error;
    }
    if (performance.now() > deadline) throw new Error(`waited in vain for: ${what}`, { cause: failure });
    await delay(PAUSE);
  }
}
