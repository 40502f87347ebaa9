/** Bounds of keys. */
import type { Most } from '#platform/database/index.ts';

/** Blocked ones are kept, too. */
export const KEYS: Most = {
  table: 'schluessel',
  most: 5_000,
  what: { de: 'Schlüssel, gesperrte eingerechnet,', en: 'keys, blocked ones included' },
};
