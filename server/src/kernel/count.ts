/** Integers beyond 2^53 stay exact as BigInt; the HTTP kit writes both as plain JSON numbers. */
export function toCount(value: string | number | null): number {
  const number = Number(value ?? 0);
  // The type says number because no sender can reach the other case within the counts the contract allows per
  // event; a sum of many such counts can, and must not be rounded on its way out.
  return Number.isSafeInteger(number) ? number : (BigInt(value as string) as unknown as number);
}

/** Counts together, exactly. */
export function sumOfCounts(values: readonly (string | number | null)[]): number {
  const sum = values.reduce((total: number, value) => total + Number(value ?? 0), 0);
  if (Number.isSafeInteger(sum)) return sum;
  return toCount(String(values.reduce((total: bigint, value) => total + BigInt(value ?? 0), 0n)));
}

/** A whole number of any size: a `bigint` where a number would not be exact. */
export type Count = number | bigint;

/** Whether something is added or taken away. */
export type Sign = 1 | -1;

/** Adds a whole number, or takes it away, exactly. */
export const addCount = (a: Count, b: Count, sign: Sign = 1): Count => {
  if (typeof a === 'number' && typeof b === 'number') {
    const sum = a + sign * b;
    if (Number.isSafeInteger(sum)) return sum;
  }
  return BigInt(a) + BigInt(sign) * BigInt(b);
};
