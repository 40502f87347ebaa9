/** Amounts in EUR without loss: integers of 10^-34, as the service has them. */
import { exact, written } from '../exact.ts';

const SCALE = 34;

/** The amount that a plain decimal writes; 0 of what writes none. */
export function eurOf(decimal: string): bigint {
  const found = exact(decimal);
  return found === null ? 0n : found.units * 10n ** BigInt(Math.max(SCALE - found.scale, 0));
}

export const eurText = (amount: bigint): string => written({ units: amount, scale: SCALE }, SCALE);
