/** Integers beyond 2^53 stay exact as BigInt; the HTTP kit writes both as plain JSON numbers. */
export function toCount(value: string | number | null): number {
  const number = Number(value ?? 0);
  // The type says number because no sender can reach the other case within the counts the contract allows per
  // event; a sum of many such counts can, and must not be rounded on its way out.
  return Number.isSafeInteger(number) ? number : (BigInt(value as string) as unknown as number);
}
