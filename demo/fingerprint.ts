/** Fingerprints of prompts and tool calls: 64 bits as 16 hex characters. */
import type { Random } from './random.ts';

const BIT_33 = 2 ** 32;
/** Eight characters: the leading one of nine is cut off again. */
const hex = (bits: number): string => ((bits >>> 0) + BIT_33).toString(16).slice(1);

export const newFingerprint = (random: Random): string => hex(random.bits()) + hex(random.bits());

/** Fingerprints of a prompt that grows: each differs from the one before in some of its bits, as a SimHash does. */
export function createDrift(random: Random): () => string {
  const halves: [number, number] = [random.bits(), random.bits()];
  return () => {
    for (let flips = random.integer(5, 12); flips > 0; flips -= 1) {
      const half = random.chance(0.5) ? 0 : 1;
      halves[half] ^= 1 << random.integer(0, 31);
    }
    return hex(halves[0]) + hex(halves[1]);
  };
}
