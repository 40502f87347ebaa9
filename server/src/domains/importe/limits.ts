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
/** Hours after which an import that was read and not confirmed goes. */
export const UNCONFIRMED_HOURS = 24;
