/**
 * The state of a run as bytes, numbers little-endian. Head: how many steps are kept, flags; calls and failed calls; known cost
 * and the cost of repeats (128 bits each); streak, alternating; trend (five floats); id of the last event. Then 45 bytes for
 * each of the last steps.
 */
import type { Slot } from '#kernel/byte-slots.ts';
import { type KeptStep, RECENT_STEPS, type RunState } from './run-state.ts';

const HEAD = 116;
const STEP = 45;
const STALE = 1;
const LED = 2;
const FAILED = 1;
const ESTIMATED = 2;
const HAS_PROMPT = 4;
const HAS_TOOL = 8;
const HAS_NUMBER = 16;
const MAX_32 = 2 ** 32 - 1;

const LITTLE = true;

/** 3.4 × 10^14 USD: more than that is kept as that. */
const MAX_128 = (1n << 128n) - 1n;

function writeWide(view: DataView, value: bigint, at: number): void {
  const kept = value < MAX_128 ? value : MAX_128;
  view.setBigUint64(at, kept, LITTLE);
  view.setBigUint64(at + 8, kept >> 64n, LITTLE);
}
const readWide = (view: DataView, at: number): bigint =>
  view.getBigUint64(at, LITTLE) | (view.getBigUint64(at + 8, LITTLE) << 64n);

function writeStep(view: DataView, step: KeptStep, at: number): void {
  const flags =
    (step.failed ? FAILED : 0) |
    (step.geschaetzt ? ESTIMATED : 0) |
    (step.prompt === null ? 0 : HAS_PROMPT) |
    (step.werkzeug === null ? 0 : HAS_TOOL) |
    (step.schritt === null ? 0 : HAS_NUMBER);
  view.setUint8(at, flags);
  view.setFloat64(at + 1, step.schritt ?? 0, LITTLE);
  view.setFloat64(at + 9, step.zeit, LITTLE);
  view.setBigUint64(at + 17, step.prompt ?? 0n);
  view.setBigUint64(at + 25, step.werkzeug ?? 0n);
  view.setInt32(at + 33, step.modell, LITTLE);
  // Nobody sends four thousand million tokens in one call; who says so is not told from who sends more.
  view.setUint32(at + 37, Math.min(step.eingabe, MAX_32), LITTLE);
  view.setUint32(at + 41, Math.min(step.ohneCacheLesen, MAX_32), LITTLE);
}

function readStep(view: DataView, at: number): KeptStep {
  const flags = view.getUint8(at);
  return {
    schritt: flags & HAS_NUMBER ? view.getFloat64(at + 1, LITTLE) : null,
    zeit: view.getFloat64(at + 9, LITTLE),
    prompt: flags & HAS_PROMPT ? view.getBigUint64(at + 17) : null,
    werkzeug: flags & HAS_TOOL ? view.getBigUint64(at + 25) : null,
    modell: view.getInt32(at + 33, LITTLE),
    eingabe: view.getUint32(at + 37, LITTLE),
    ohneCacheLesen: view.getUint32(at + 41, LITTLE),
    failed: (flags & FAILED) !== 0,
    geschaetzt: (flags & ESTIMATED) !== 0,
  };
}

/** Where a state stands among others. */
export type StatePlace = Pick<Slot, 'view' | 'at' | 'room'>;

const bytesOf = (steps: number): number => HEAD + STEP * Math.min(RECENT_STEPS, steps);
/** Room for some steps more than there are: a run that goes on is written where it stands. */
export const roomFor = (steps: number): number => bytesOf(Math.ceil((steps * 3) / 2));
export const hasRoomFor = ({ room }: StatePlace, steps: number): boolean => room >= bytesOf(steps);

const bytesAt = ({ view, at }: StatePlace, length: number) => new Uint8Array(view.buffer, at, length);

/** Copies a state with the first of its kept steps to where there is room for them. */
export const copyRunState = (from: StatePlace, to: StatePlace, steps: number): void =>
  bytesAt(to, to.room).set(bytesAt(from, bytesOf(steps)));

/** Writes what `readRunState` reads; `earlier` counts the steps that stand there before those of the state. */
export function writeRunState({ view, at, room }: StatePlace, state: RunState, earlier = 0): void {
  const { recent, trend } = state;
  const stay = Math.min(earlier, RECENT_STEPS - recent.length);
  if (stay < earlier)
    bytesAt({ view, at, room }, room).copyWithin(HEAD, HEAD + STEP * (earlier - stay), HEAD + STEP * earlier);
  view.setUint8(at, stay + recent.length);
  view.setUint8(at + 1, (state.stale ? STALE : 0) | (state.geleitet ? LED : 0));
  view.setFloat64(at + 4, state.calls, LITTLE);
  view.setFloat64(at + 12, state.failed, LITTLE);
  writeWide(view, state.usd, at + 20);
  writeWide(view, state.streak.repeatedUsd, at + 36);
  view.setUint32(at + 52, Math.min(state.streak.length, MAX_32), LITTLE);
  view.setUint32(at + 56, Math.min(state.alternating, MAX_32), LITTLE);
  view.setFloat64(at + 60, trend.sumX, LITTLE);
  view.setFloat64(at + 68, trend.sumY, LITTLE);
  view.setFloat64(at + 76, trend.sumXX, LITTLE);
  view.setFloat64(at + 84, trend.sumXY, LITTLE);
  view.setFloat64(at + 92, trend.first, LITTLE);
  view.setBigUint64(at + 100, state.lastId >> 64n);
  view.setBigUint64(at + 108, state.lastId);
  for (let index = 0; index < recent.length; index += 1)
    writeStep(view, recent[index] as KeptStep, at + HEAD + STEP * (stay + index));
}

/** How many of the kept steps `advance` need not see: it looks at the last two that succeeded, and at what came since. */
export function earlierThanNeeded({ view, at }: StatePlace): number {
  let earlier = view.getUint8(at);
  for (let succeeded = 0; earlier > 0 && succeeded < 2; earlier -= 1)
    if ((view.getUint8(at + HEAD + STEP * (earlier - 1)) & FAILED) === 0) succeeded += 1;
  return earlier;
}

/** Reads what `writeRunState` wrote; the first `earlier` of the kept steps are passed over. */
export function readRunState({ view, at }: StatePlace, earlier = 0): RunState {
  const steps = view.getUint8(at);
  const recent: KeptStep[] = [];
  for (let index = earlier; index < steps; index += 1) recent.push(readStep(view, at + HEAD + STEP * index));
  return {
    stale: (view.getUint8(at + 1) & STALE) !== 0,
    geleitet: (view.getUint8(at + 1) & LED) !== 0,
    calls: view.getFloat64(at + 4, LITTLE),
    failed: view.getFloat64(at + 12, LITTLE),
    usd: readWide(view, at + 20),
    streak: { repeatedUsd: readWide(view, at + 36), length: view.getUint32(at + 52, LITTLE) },
    alternating: view.getUint32(at + 56, LITTLE),
    trend: {
      sumX: view.getFloat64(at + 60, LITTLE),
      sumY: view.getFloat64(at + 68, LITTLE),
      sumXX: view.getFloat64(at + 76, LITTLE),
      sumXY: view.getFloat64(at + 84, LITTLE),
      first: view.getFloat64(at + 92, LITTLE),
    },
    lastId: (view.getBigUint64(at + 100) << 64n) | view.getBigUint64(at + 108),
    recent,
  };
}
