/** Whom a reference counts for. */

import type { MandantTx } from '#platform/database/index.ts';
import type { Customer } from '../rules.ts';
import { type EndkundeRow, readEndkunden, readEndkundenAround } from '../store/endkunden.ts';

export interface Customers {
  all: EndkundeRow[];
  /** The end customer that calls with this reference are charged to. */
  charged(referenz: string): EndkundeRow | undefined;
  /** The references that count for an end customer: their own and those merged into it. */
  references(row: EndkundeRow): EndkundeRow[];
}

/** All of them, or those that are charged for some references (or ids) with all that counts for them. */
export async function readCustomers(tx: MandantTx, asked?: readonly string[]): Promise<Customers> {
  const all = await (asked ? readEndkundenAround(tx, asked) : readEndkunden(tx));
  const byReference = new Map(all.map((row) => [row.referenz, row]));
  const byId = new Map(all.map((row) => [row.endkunde_id, row]));
  const merged = Map.groupBy(
    all.filter(({ gehoert_zu }) => gehoert_zu !== null),
    ({ gehoert_zu }) => gehoert_zu as string,
  );
  return {
    all,
    charged(referenz) {
      const row = byReference.get(referenz);
      return row?.gehoert_zu ? byId.get(row.gehoert_zu) : row;
    },
    references: (row) => [row, ...(merged.get(row.endkunde_id) ?? [])],
  };
}

export const toCustomer = (row: EndkundeRow): Customer => ({
  referenz: row.referenz,
  name: row.name,
  kostenstelle: row.kostenstelle,
  debitorenkonto: row.debitorenkonto,
  aufschlag_prozent: row.aufschlag_prozent,
});
