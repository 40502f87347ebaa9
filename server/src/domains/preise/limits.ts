/** Bounds of price books. */
import type { Most } from '#platform/database/index.ts';

/** Each change makes one, and all are kept. */
export const EDITIONS: Most = {
  table: 'preisbuecher',
  most: 2_000,
  what: { de: 'Fassungen des Preisbuchs', en: 'editions of the price book' },
};
