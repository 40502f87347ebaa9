/** How long an intervention by hand holds. */

export const handLengths = ['15m', '1h', '4h', '1d', '7d', 'open'] as const;
export type HandLength = (typeof handLengths)[number];

const minutes = { '15m': 15, '1h': 60, '4h': 240, '1d': 1_440, '7d': 10_080 };

/** When it ends (ISO 8601); null for one that ends by hand. */
export const untilOf = (length: HandLength, now: Date): string | null =>
  length === 'open' ? null : new Date(now.getTime() + minutes[length] * 60_000).toISOString();
