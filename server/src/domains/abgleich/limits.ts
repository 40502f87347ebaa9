/** Bounds of reconciliation. */
import type { Most } from '#platform/database/index.ts';

/** Of all months and providers. */
export const INVOICES: Most = {
  table: 'anbieter_rechnungen',
  most: 10_000,
  what: { de: 'Rechnungen', en: 'invoices' },
};
