/**
 * A quota as a time: what was used of it comes back evenly, and `rest` says in how many milliseconds all of it is back. A minute of rest is
 * all that may be used at once; a batch may go beyond, which is waited for afterwards.
 */
const MINUTE = 60_000;
/** Sums of fractions miss whole numbers by less. */
const ROUNDING = 0.001;

/** For how many milliseconds so much of a quota of `perMinute` is gone. */
export const timeOf = (amount: number, perMinute: number): number => (amount * MINUTE) / perMinute;

/** Milliseconds until there is room for one more; 0 when there is. */
export function waitFor(rest: number, perMinute: number): number {
  const wait = rest + timeOf(1, perMinute) - MINUTE;
  return wait > ROUNDING ? wait : 0;
}

/** `Retry-After` of a wait: whole seconds, at least one. */
export const secondsOf = (wait: number): number => Math.max(1, Math.ceil(wait / 1_000));
