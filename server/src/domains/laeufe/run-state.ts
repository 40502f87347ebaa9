/**
 * The state of a run, advanced step by step in constant time and bounded memory: what the detectors that look at steps need,
 * so that none of them has to read the events again. No input or output here.
 */

/** One call of a run, as far as detectors look at it. */
export interface Step {
  /** Null when the sender numbers no steps; those come last. */
  schritt: number | null;
  /** Microseconds since 1970. */
  zeit: number;
  /** Its 128 bits. */
  ereignisId: bigint;
  /** 64 bits each; null when the sender sends none. */
  prompt: bigint | null;
  werkzeug: bigint | null;
  /** `merkmal_id` of the model. */
  modell: number;
  /** Input tokens of all kinds, and those that did not come from the cache. */
  eingabe: number;
  ohneCacheLesen: number;
  /** 10^-24 USD; null when unknown. */
  usd: bigint | null;
  failed: boolean;
  geschaetzt: boolean;
  /** Whether it says that the run was begun from another. */
  geleitet: boolean;
}

/** What is kept of a step. */
export type KeptStep = Omit<Step, 'usd' | 'ereignisId' | 'geleitet'>;

/** Consecutive steps with the same prompt, tool and model, failed ones left out. */
interface Streak {
  length: number;
  /** Cost of all its steps but the first two, as far as it is known; 10^-24 USD. */
  repeatedUsd: bigint;
}

/** Sums from which the slope of the input tokens over the steps that succeeded follows (least squares); x counts them from 0. */
interface Trend {
  sumX: number;
  sumY: number;
  sumXX: number;
  sumXY: number;
  first: number;
}

export interface RunState {
  /** True once an event came before one that was there already: what follows is right again only after reading anew. */
  stale: boolean;
  /** Whether it was begun from another run. */
  geleitet: boolean;
  calls: number;
  failed: number;
  /** Known cost of all calls; 10^-24 USD. */
  usd: bigint;
  streak: Streak;
  /** How many of the last steps alternate between two different tool prints (A, B, A, B …), failed ones left out. */
  alternating: number;
  trend: Trend;
  /** The last steps, the oldest first. */
  recent: KeptStep[];
  /** Id of the last step's event: the last part of the order. */
  lastId: bigint;
}

/** As many steps are kept. */
export const RECENT_STEPS = 20;
/** From this step of a streak on its cost is that of repeats. */
const FIRST_REPEAT = 3;

export const newRun = (): RunState => ({
  stale: false,
  geleitet: false,
  calls: 0,
  failed: 0,
  usd: 0n,
  streak: { length: 0, repeatedUsd: 0n },
  alternating: 0,
  trend: { sumX: 0, sumY: 0, sumXX: 0, sumXY: 0, first: 0 },
  recent: [],
  lastId: 0n,
});

function comparePlaces(a: KeptStep, aId: bigint, b: KeptStep, bId: bigint): number {
  if (a.schritt !== b.schritt) return (a.schritt ?? Infinity) < (b.schritt ?? Infinity) ? -1 : 1;
  if (a.zeit !== b.zeit) return a.zeit - b.zeit;
  return aId < bId ? -1 : aId > bId ? 1 : 0;
}

/** The order of a run's events: by step number (none last), time, id. Negative when `a` comes first. */
export const compareSteps = (a: Step, b: Step): number => comparePlaces(a, a.ereignisId, b, b.ereignisId);

const isRepeat = (step: Step, last: KeptStep | undefined): boolean =>
  last !== undefined &&
  step.prompt !== null &&
  step.prompt === last.prompt &&
  step.werkzeug === last.werkzeug &&
  step.modell === last.modell;

function advanceStreak(streak: Streak, step: Step, last: KeptStep | undefined): void {
  if (isRepeat(step, last)) {
    streak.length += 1;
    if (streak.length >= FIRST_REPEAT && step.usd !== null) streak.repeatedUsd += step.usd;
  } else {
    streak.length = 1;
    streak.repeatedUsd = 0n;
  }
}

function advanceAlternating(before: number, step: Step, succeeded: readonly KeptStep[]): number {
  const last = succeeded.at(-1);
  if (step.werkzeug === null) return 0;
  if (!last || last.werkzeug === null || last.werkzeug === step.werkzeug) return 1;
  const beforeLast = succeeded.at(-2);
  return before >= 2 && beforeLast?.werkzeug === step.werkzeug ? before + 1 : 2;
}

function advanceTrend(trend: Trend, x: number, y: number): void {
  trend.sumX += x;
  trend.sumY += y;
  trend.sumXX += x * x;
  trend.sumXY += x * y;
  if (x === 0) trend.first = y;
}

/** A failed call is no repeat of one that succeeded, and ends nothing. */
function advanceSucceeded(state: RunState, step: Step): void {
  const succeeded = state.recent.some(({ failed }) => failed)
    ? state.recent.filter(({ failed }) => !failed)
    : state.recent;
  advanceStreak(state.streak, step, succeeded.at(-1));
  advanceTrend(state.trend, state.calls - state.failed, step.eingabe);
  state.alternating = advanceAlternating(state.alternating, step, succeeded);
}

/** The state after one more step. A step that belongs before the last one makes the state stale and is counted only. */
export function advance(state: RunState, step: Step): void {
  const last = state.recent.at(-1);
  const isLate = last !== undefined && comparePlaces(step, step.ereignisId, last, state.lastId) < 0;
  if (!isLate) {
    if (!step.failed) advanceSucceeded(state, step);
    state.recent.push(step);
    if (state.recent.length > RECENT_STEPS) state.recent.shift();
    state.lastId = step.ereignisId;
  } else state.stale = true;
  state.calls += 1;
  if (step.failed) state.failed += 1;
  if (step.geleitet) state.geleitet = true;
  if (step.usd !== null) state.usd += step.usd;
}
