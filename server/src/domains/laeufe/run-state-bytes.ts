/**
 * The state of a run as bytes, numbers little-endian. First byte: the format. Head: flags; calls and failed calls; known cost
 * and the cost of repeats (128 bits each); streak, alternating; trend (five floats); id of the last event. Then 45 bytes for
 * each of the last steps.
 */
import { type KeptStep, newRun, type RunState } from './run-state.ts';

const FORMAT = 1;
const HEAD = 116;
const STEP = 45;
const STALE = 1;
const FAILED = 1;
const ESTIMATED = 2;
const HAS_PROMPT = 4;
const HAS_TOOL = 8;
const HAS_NUMBER = 16;
const PRINT = 8;
const ID = 16;
const MAX_32 = 2 ** 32 - 1;

function writeWide(bytes: Buffer, value: bigint, at: number): number {
  bytes.writeBigUInt64LE(BigInt.asUintN(64, value), at);
  return bytes.writeBigUInt64LE(BigInt.asUintN(64, value >> 64n), at + 8);
}
const readWide = (bytes: Buffer, at: number): bigint =>
  bytes.readBigUInt64LE(at) | (bytes.readBigUInt64LE(at + 8) << 64n);

function writeStep(bytes: Buffer, step: KeptStep, at: number): void {
  const flags =
    (step.failed ? FAILED : 0) |
    (step.geschaetzt ? ESTIMATED : 0) |
    (step.prompt === null ? 0 : HAS_PROMPT) |
    (step.werkzeug === null ? 0 : HAS_TOOL) |
    (step.schritt === null ? 0 : HAS_NUMBER);
  bytes.writeUInt8(flags, at);
  bytes.writeDoubleLE(step.schritt ?? 0, at + 1);
  bytes.writeDoubleLE(step.zeit, at + 9);
  bytes.write(step.prompt ?? '', at + 17, PRINT, 'latin1');
  bytes.write(step.werkzeug ?? '', at + 25, PRINT, 'latin1');
  bytes.writeInt32LE(step.modell, at + 33);
  // Nobody sends four thousand million tokens in one call; who says so is not told from who sends more.
  bytes.writeUInt32LE(Math.min(step.eingabe, MAX_32), at + 37);
  bytes.writeUInt32LE(Math.min(step.ohneCacheLesen, MAX_32), at + 41);
}

function readStep(bytes: Buffer, at: number): KeptStep {
  const flags = bytes.readUInt8(at);
  return {
    schritt: flags & HAS_NUMBER ? bytes.readDoubleLE(at + 1) : null,
    zeit: bytes.readDoubleLE(at + 9),
    prompt: flags & HAS_PROMPT ? bytes.toString('latin1', at + 17, at + 25) : null,
    werkzeug: flags & HAS_TOOL ? bytes.toString('latin1', at + 25, at + 33) : null,
    modell: bytes.readInt32LE(at + 33),
    eingabe: bytes.readUInt32LE(at + 37),
    ohneCacheLesen: bytes.readUInt32LE(at + 41),
    failed: (flags & FAILED) !== 0,
    geschaetzt: (flags & ESTIMATED) !== 0,
  };
}

/** The bytes that `readRunState` reads. */
export function writeRunState(state: RunState): Buffer {
  const bytes = Buffer.alloc(HEAD + STEP * state.recent.length);
  bytes.writeUInt8(FORMAT, 0);
  bytes.writeUInt8(state.stale ? STALE : 0, 1);
  bytes.writeDoubleLE(state.calls, 4);
  bytes.writeDoubleLE(state.failed, 12);
  writeWide(bytes, state.usd, 20);
  writeWide(bytes, state.streak.repeatedUsd, 36);
  bytes.writeUInt32LE(Math.min(state.streak.length, MAX_32), 52);
  bytes.writeUInt32LE(Math.min(state.alternating, MAX_32), 56);
  const { sumX, sumY, sumXX, sumXY, first } = state.trend;
  for (const [index, value] of [sumX, sumY, sumXX, sumXY, first].entries())
    bytes.writeDoubleLE(value, 60 + 8 * index);
  bytes.write(state.lastId, 100, ID, 'latin1');
  for (const [index, step] of state.recent.entries()) writeStep(bytes, step, HEAD + STEP * index);
  return bytes;
}

/** Reads what `writeRunState` wrote. A state of another format is a stale one: it is made anew from the events. */
export function readRunState(bytes: Buffer): RunState {
  if (bytes[0] !== FORMAT) return { ...newRun(), stale: true };
  const float = (index: number) => bytes.readDoubleLE(60 + 8 * index);
  return {
    stale: (bytes.readUInt8(1) & STALE) !== 0,
    calls: bytes.readDoubleLE(4),
    failed: bytes.readDoubleLE(12),
    usd: readWide(bytes, 20),
    streak: { repeatedUsd: readWide(bytes, 36), length: bytes.readUInt32LE(52) },
    alternating: bytes.readUInt32LE(56),
    trend: { sumX: float(0), sumY: float(1), sumXX: float(2), sumXY: float(3), first: float(4) },
    lastId: bytes.toString('latin1', 100, 116),
    recent: Array.from({ length: (bytes.length - HEAD) / STEP }, (_, index) =>
      readStep(bytes, HEAD + STEP * index),
    ),
  };
}
