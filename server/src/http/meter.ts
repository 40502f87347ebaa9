/**
 * Measures the CPU time of the event loop that requests cost, each by itself: reading, handler and making the answer. Work on the event loop
 * comes in stretches, each begun by a promise that is fulfilled; whose it is follows from the asynchronous context. Short stretches
 * are counted by the clock, which is cheap to ask; longer ones by CPU time, since the clock goes on while the machine does something else.
 * Not counted are stretches that no promise begins: bytes that come and go, rows of the database while they are read from its connection.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { promiseHooks } from 'node:v8';

/** What a request has cost so far; milliseconds. */
export interface Tally {
  cpu: number;
}

/** Milliseconds: a stretch so long is counted by CPU time. */
const LONG = 2;
/** CPU time is asked for at most so often while nothing long happens; milliseconds. */
const READ_EVERY = 10;

const MICROSECONDS = 1_000;
const whose = new AsyncLocalStorage<Tally>();

const cpuNow = (): number => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / MICROSECONDS;
};

/** CPU time at some instant shortly before the stretch that is under way. */
const lastRead = { at: 0, cpu: 0 };
/** Whose stretch is under way, since when. */
let current: Tally | undefined;
let began = 0;

function begin(tally: Tally | undefined): void {
  current = tally;
  if (!tally) return;
  began = performance.now();
  if (began - lastRead.at < READ_EVERY) return;
  lastRead.at = began;
  lastRead.cpu = cpuNow();
}

function end(): void {
  if (!current) return;
  const now = performance.now();
  let cost = now - began;
  if (cost > LONG) {
    const cpu = cpuNow();
    cost = Math.min(cost, cpu - lastRead.cpu);
    lastRead.at = now;
    lastRead.cpu = cpu;
  }
  current.cpu += cost;
  current = undefined;
}

/** Counts what the stretch under way has cost by now. */
export function countNow(): void {
  const tally = current;
  end();
  begin(tally);
}

let isOn = false;

/** Begins to measure, once in a thread. */
function turnOn(): void {
  if (isOn) return;
  isOn = true;
  promiseHooks.createHook({ before: () => begin(whose.getStore()), after: end });
}

/** Does the work, and counts what it costs for the tally, here and in all that follows from it. */
export function measured<Result>(tally: Tally, work: () => Result): Result {
  turnOn();
  const outer = current;
  end();
  begin(tally);
  try {
    return whose.run(tally, work);
  } finally {
    end();
    begin(outer);
  }
}
