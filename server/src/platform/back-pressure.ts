/**
 * Back-pressure from one thread to another: the one somebody waits for shows in shared memory how busy it is, the other looks
 * at that between two pieces of work and steps back while the first is at its limit.
 */
import { setTimeout as delay } from 'node:timers/promises';

/** How busy a thread was lately, in thousandths, where two threads see it. */
export type LoadSignal = SharedArrayBuffer;

const INTERVAL = 100;
/** Weight of the latest interval: senders come in bursts, a burst of one interval is no saturation. */
const LATEST = 0.07;
/** Above this load a thread is at its limit. */
const SATURATED = 0.85;
/** Down to this load a pause goes on: what stepping back leaves free must not look like the end of the pressure. */
const RELIEVED = 0.7;
/** Of a busy time the work takes one part, and leaves this many. */
const PARTS_LEFT = 7;
/** The longest pause, in milliseconds: nobody waits for the work, but others depend on it. */
const LONGEST = 2_000;
const LOOK = 20;

export const createLoadSignal = (): LoadSignal => new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT);

/** Shows in the signal how busy the event loop of this thread is, until the returned function is called. */
export function showLoad(signal: LoadSignal): () => void {
  const place = new Int32Array(signal);
  let before = performance.eventLoopUtilization();
  let load = 0;
  const timer = setInterval(() => {
    const now = performance.eventLoopUtilization();
    load += LATEST * (performance.eventLoopUtilization(now, before).utilization - load);
    before = now;
    Atomics.store(place, 0, Math.round(load * 1000));
  }, INTERVAL);
  timer.unref();
  return () => {
    clearInterval(timer);
    Atomics.store(place, 0, 0);
  };
}

/** Whether to go on after a piece of work that took `tookMs`, at a load of 0 to 1, `pausedMs` into the pause. */
export const mayGoOn = (load: number, tookMs: number, pausedMs: number): boolean =>
  load <= (pausedMs > 0 ? RELIEVED : SATURATED) || pausedMs >= Math.min(LONGEST, PARTS_LEFT * tookMs);

/** Waits as long as to step back after a piece of work that took this many milliseconds. */
export type StepBack = (tookMs: number) => Promise<void>;

export function createStepBack(signal: LoadSignal): StepBack {
  const place = new Int32Array(signal);
  return async (tookMs) => {
    const start = performance.now();
    const load = () => Atomics.load(place, 0) / 1000;
    for (let paused = 0; !mayGoOn(load(), tookMs, paused); paused = performance.now() - start)
      await delay(LOOK);
  };
}
