/**
 * The state of a run as bytes, numbers little-endian. Head: how many steps are kept, flags; calls and failed calls; known cost
 * and the cost of repeats (128 bits each); streak, alternating; trend (five floats); id of the last event. Then 45 bytes for
 * each of the last steps.
 */
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

/** 3.4 × 10^14 USD: whoever spends more is not told from who spends that. */
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

/** Room for some steps more than there are: a run that goes on writes into the same bytes. */
const roomFor = (steps: number): number => HEAD + STEP * Math.min(RECENT_STEPS, Math.ceil((steps * 3) / 2));

/** The bytes that `readRunState` reads, in `into` where they have room there. */
export function writeRunState(state: RunState, into?: Buffer): Buffer {
  const { recent, trend } = state;
  const bytes =
    into && into.length >= HEAD + STEP * recent.length
      ? into
      : Buffer.allocUnsafeSlow(roomFor(recent.length));
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  view.setUint8(0, recent.length);
  view.setUint8(1, (state.stale ? STALE : 0) | (state.geleitet ? LED : 0));
  view.setFloat64(4, state.calls, LITTLE);
  view.setFloat64(12, state.failed, LITTLE);
  writeWide(view, state.usd, 20);
  writeWide(view, state.streak.repeatedUsd, 36);
  view.setUint32(52, Math.min(state.streak.length, MAX_32), LITTLE);
  view.setUint32(56, Math.min(state.alternating, MAX_32), LITTLE);
  view.setFloat64(60, trend.sumX, LITTLE);
  view.setFloat64(68, trend.sumY, LITTLE);
  view.setFloat64(76, trend.sumXX, LITTLE);
  view.setFloat64(84, trend.sumXY, LITTLE);
  view.setFloat64(92, trend.first, LITTLE);
  view.setBigUint64(100, state.lastId >> 64n);
  view.setBigUint64(108, state.lastId);
  for (let index = 0; index < recent.length; index += 1)
    writeStep(view, recent[index] as KeptStep, HEAD + STEP * index);
  return bytes;
}

/** Reads what `writeRunState` wrote. */
export function readRunState(bytes: Buffer): RunState {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const recent: KeptStep[] = [];
  for (let at = HEAD; recent.length < view.getUint8(0); at += STEP) recent.push(readStep(view, at));
  return {
    stale: (view.getUint8(1) & STALE) !== 0,
    geleitet: (view.getUint8(1) & LED) !== 0,
    calls: view.getFloat64(4, LITTLE),
    failed: view.getFloat64(12, LITTLE),
    usd: readWide(view, 20),
    streak: { repeatedUsd: readWide(view, 36), length: view.getUint32(52, LITTLE) },
    alternating: view.getUint32(56, LITTLE),
    trend: {
      sumX: view.getFloat64(60, LITTLE),
      sumY: view.getFloat64(68, LITTLE),
      sumXX: view.getFloat64(76, LITTLE),
      sumXY: view.getFloat64(84, LITTLE),
      first: view.getFloat64(92, LITTLE),
    },
    lastId: (view.getBigUint64(100) << 64n) | view.getBigUint64(108),
    recent,
  };
}
