/** How much memory there is, and how much of it may be filled by what fills it. */
import { totalmem } from 'node:os';
import type { Log } from './log.ts';

export const MIB = 2 ** 20;

/** With less the service starts, and may be ended by the system under load. Embedded database included. */
export const LEAST_MEMORY = 1_024 * MIB;
/** From here on everything has as much room as it ever needs. */
const PLENTY = 4_096 * MIB;

/** Bytes that this process and its children may use: what the machine has, or the group of processes is limited to. */
export const availableMemory = (): number =>
  Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY);

/** Says at the start where there is too little. */
export function warnOfLittleMemory(log: Log, memory = availableMemory()): void {
  if (memory >= LEAST_MEMORY) return;
  log.warn(
    { mib: Math.floor(memory / MIB), leastMib: LEAST_MEMORY / MIB },
    'there is less memory than the service needs: under load the system may end it; give the machine or the container more',
  );
}

/** What may be held at a time; all in bytes unless said otherwise. */
export interface MemoryShares {
  /** Bodies of requests that are being read or wait. A third of it takes the largest batch, and more. */
  bodies: number;
  /** Packed batches that wait for the database. */
  batches: number;
  /** Answers that wait to be taken by those who asked. */
  unsent: number;
  /** Requests that wait for the answer to the one before them on their connection: a number. */
  waiting: number;
  /** Sums of past days that were read and are asked for again and again. */
  openedLists: number;
  /** Runs that are under way, as rules need them. */
  runs: number;
  /** Events that are counted in one transaction: a number; and their bytes. */
  stretchEvents: number;
  stretchBytes: number;
  /** Threads that make documents: a number. */
  documentThreads: number;
}

/** The shares where there is so much memory: least with `LEAST_MEMORY`, and growing until there is plenty. */
export function sharesOf(memory: number): MemoryShares {
  const ampleness = Math.min(1, Math.max(0, (memory - LEAST_MEMORY) / (PLENTY - LEAST_MEMORY)));
  const between = (least: number, most: number) => Math.floor(least + (most - least) * ampleness);
  return {
    bodies: between(32 * MIB, 48 * MIB),
    batches: between(22 * MIB, 32 * MIB),
    unsent: between(16 * MIB, 64 * MIB),
    waiting: between(2_000, 6_000),
    openedLists: between(8 * MIB, 32 * MIB),
    runs: between(16 * MIB, 48 * MIB),
    stretchEvents: between(5_000, 20_000),
    stretchBytes: between(4 * MIB, 12 * MIB),
    documentThreads: between(1, 2),
  };
}

/** Those of this process. */
export const MEMORY = sharesOf(availableMemory());
