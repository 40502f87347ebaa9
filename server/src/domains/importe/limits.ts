/** Bounds of imports. */
import type { Most } from '#platform/database/index.ts';

/** Receipts are kept as long as the account. */
export const IMPORTS: Most = {
  table: 'importe',
  most: 10_000,
  what: { de: 'Importe', en: 'imports' },
};
/** For so long it is known which calls an import alone has told of. */
export const UNDO_DAYS = 90;
/** What was read and not confirmed goes after so many hours. */
export const UNCONFIRMED_HOURS = 24;
