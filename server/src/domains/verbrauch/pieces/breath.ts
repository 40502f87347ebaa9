/** Long work of a thread that others wait for: requests, counting. */
import { setImmediate } from 'node:timers/promises';

/** Milliseconds after which the thread turns to whatever else waits for it. */
const TURN = 5;

/** Resolves at once, or once the thread has turned to others, if it has worked for a while. */
export function createBreath(): () => Promise<void> {
  let began = performance.now();
  return async () => {
    if (performance.now() - began < TURN) return;
    await setImmediate();
    began = performance.now();
  };
}
