/** SQL of invoices. Months are `YYYY-MM`, amounts plain decimals, times ISO 8601 in UTC. */
import { sql } from 'kysely';
import { exactText, type MandantTx } from '#platform/database/index.ts';

export interface InvoiceRow {
  rechnung_id: string;
  monat: string;
  anbieter: string;
  betrag: string;
  waehrung: 'EUR' | 'USD';
  kurs: string;
  rechnungsnummer: string | null;
  notiz: string | null;
  erfasst_am: string;
  erfasst_von: string | null;
}

const first = (monat: string) => `${monat}-01`;

const select = (tx: MandantTx) =>
  tx
    .selectFrom('anbieter_rechnungen')
    .select([
      'rechnung_id',
      'anbieter',
      'waehrung',
      'rechnungsnummer',
      'notiz',
      'erfasst_am',
      'erfasst_von',
      sql<string>`to_char(monat, 'YYYY-MM')`.as('monat'),
    ])
    .select(({ ref }) => [exactText(ref('betrag')).as('betrag'), exactText(ref('kurs')).as('kurs')])
    .where('mandant_id', '=', tx.mandant)
    .$narrowType<{ betrag: string; kurs: string; waehrung: 'EUR' | 'USD' }>();

/** Those about a month, in the order in which they were put in. */
export const readInvoices = (tx: MandantTx, monat: string): Promise<InvoiceRow[]> =>
  select(tx).where('monat', '=', first(monat)).orderBy('rechnung_id').execute();

/** Held until the transaction ends; undefined when the Mandant has none such. */
export const lockInvoice = (tx: MandantTx, id: string): Promise<InvoiceRow | undefined> =>
  select(tx).where('rechnung_id', '=', id).forUpdate().executeTakeFirst();

export async function insertInvoice(tx: MandantTx, row: InvoiceRow): Promise<void> {
  await tx
    .insertInto('anbieter_rechnungen')
    .values({ ...row, monat: first(row.monat), mandant_id: tx.mandant })
    .execute();
}

export async function updateInvoice(tx: MandantTx, row: InvoiceRow): Promise<void> {
  const { rechnung_id, erfasst_am: _, erfasst_von: __, ...columns } = row;
  await tx
    .updateTable('anbieter_rechnungen')
    .set({ ...columns, monat: first(row.monat) })
    .where('mandant_id', '=', tx.mandant)
    .where('rechnung_id', '=', rechnung_id)
    .execute();
}

export async function deleteInvoice(tx: MandantTx, id: string): Promise<void> {
  await tx
    .deleteFrom('anbieter_rechnungen')
    .where('mandant_id', '=', tx.mandant)
    .where('rechnung_id', '=', id)
    .execute();
}

/** The reference rate of a day, the last one before it; null when none is known. */
export async function readRate(tx: MandantTx, day: string): Promise<string | null> {
  const row = await tx
    .selectFrom('wechselkurse')
    .select(({ ref }) => exactText(ref('usd_eur')).as('usd_eur'))
    .where('tag', '<=', day)
    .orderBy('tag', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.usd_eur ?? null;
}
