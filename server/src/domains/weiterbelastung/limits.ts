/** Bounds of passing on. */
import type { Most } from '#platform/database/index.ts';

/** Those that calls name come by themselves; merged and deleted ones are kept. */
export const CUSTOMERS: Most = {
  table: 'endkunden',
  most: 100_000,
  what: { de: 'Endkunden', en: 'end customers' },
};
