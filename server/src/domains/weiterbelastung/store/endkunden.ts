/** SQL of end customers. Amounts are plain decimals, times ISO 8601 in UTC. */
import { sql } from 'kysely';
import { exactText, type MandantTx } from '#platform/database/index.ts';

export interface EndkundeRow {
  endkunde_id: string;
  referenz: string;
  name: string | null;
  kostenstelle: string | null;
  debitorenkonto: string | null;
  email: string | null;
  aufschlag_prozent: string;
  /** The end customer this reference counts for; null: itself. */
  gehoert_zu: string | null;
  entfernt_am: string | null;
  erstellt_am: string;
}

/** What a person sets. */
export type Stammdaten = Pick<
  EndkundeRow,
  'name' | 'kostenstelle' | 'debitorenkonto' | 'email' | 'aufschlag_prozent'
>;

const COLUMNS = [
  'endkunde_id',
  'referenz',
  'name',
  'kostenstelle',
  'debitorenkonto',
  'email',
  'gehoert_zu',
  'entfernt_am',
  'erstellt_am',
] as const;

const select = (tx: MandantTx) =>
  tx
    .selectFrom('endkunden')
    .select(COLUMNS)
    .select(({ ref }) => exactText(ref('aufschlag_prozent')).as('aufschlag_prozent'))
    .where('mandant_id', '=', tx.mandant)
    .$narrowType<{ aufschlag_prozent: string }>();

/** All of them, merged and deleted ones too, by reference. */
export const readEndkunden = (tx: MandantTx): Promise<EndkundeRow[]> =>
  select(tx).orderBy('referenz').execute();

/** Those that are charged for some references (or ids) today, with all that counts for them, by reference. */
export async function readEndkundenAround(tx: MandantTx, asked: readonly string[]): Promise<EndkundeRow[]> {
  const zahler = sql`SELECT coalesce(z.gehoert_zu, z.endkunde_id) FROM endkunden z
    WHERE z.mandant_id = ${tx.mandant} AND (z.referenz = ANY(${asked}::text[]) OR z.endkunde_id::text = ANY(${asked}::text[]))`;
  return select(tx)
    .where(sql<boolean>`coalesce(gehoert_zu, endkunde_id) IN (${zahler})`)
    .orderBy('referenz')
    .execute();
}

/** The end customer as they are, held until the transaction ends; undefined when the Mandant has none such. */
export const lockEndkunde = (tx: MandantTx, id: string): Promise<EndkundeRow | undefined> =>
  select(tx).where('endkunde_id', '=', id).forUpdate().executeTakeFirst();

export const lockByReference = (tx: MandantTx, referenz: string): Promise<EndkundeRow | undefined> =>
  select(tx).where('referenz', '=', referenz).forUpdate().executeTakeFirst();

/** The references that are merged into this one. */
export const readMerged = (tx: MandantTx, id: string): Promise<EndkundeRow[]> =>
  select(tx).where('gehoert_zu', '=', id).orderBy('referenz').execute();

/** Puts in a new one; null when there is one with this reference. */
export async function insertEndkunde(
  tx: MandantTx,
  row: Stammdaten & Pick<EndkundeRow, 'referenz'>,
): Promise<string | null> {
  const inserted = await tx
    .insertInto('endkunden')
    .values({ ...row, mandant_id: tx.mandant })
    .onConflict((conflict) => conflict.columns(['mandant_id', 'referenz']).doNothing())
    .returning('endkunde_id')
    .executeTakeFirst();
  return inserted?.endkunde_id ?? null;
}

export async function updateEndkunde(
  tx: MandantTx,
  id: string,
  columns: Partial<Stammdaten & Pick<EndkundeRow, 'gehoert_zu' | 'entfernt_am'>>,
): Promise<void> {
  await tx
    .updateTable('endkunden')
    .set(columns)
    .where('mandant_id', '=', tx.mandant)
    .where('endkunde_id', '=', id)
    .execute();
}

/** Puts in those that are new, changes the others; who was deleted is known again. */
export async function putEndkunden(
  tx: MandantTx,
  rows: (Stammdaten & Pick<EndkundeRow, 'referenz'>)[],
): Promise<void> {
  const sorted = rows.toSorted((a, b) => (a.referenz < b.referenz ? -1 : 1));
  const column = (name: keyof (typeof rows)[number]) => sql`${sorted.map((row) => row[name])}`;
  await sql`INSERT INTO endkunden (mandant_id, referenz, name, kostenstelle, debitorenkonto, email, aufschlag_prozent)
    SELECT ${tx.mandant}::uuid, e.* FROM unnest(${column('referenz')}::text[], ${column('name')}::text[],
      ${column('kostenstelle')}::text[], ${column('debitorenkonto')}::text[], ${column('email')}::text[],
      ${column('aufschlag_prozent')}::numeric[]) AS e
    ON CONFLICT (mandant_id, referenz) DO UPDATE SET name = excluded.name, kostenstelle = excluded.kostenstelle,
      debitorenkonto = excluded.debitorenkonto, email = excluded.email, aufschlag_prozent = excluded.aufschlag_prozent,
      entfernt_am = NULL`.execute(tx);
}

/** Lets the references that were merged into this one stand for themselves again. */
export async function releaseMerged(tx: MandantTx, id: string): Promise<void> {
  await tx
    .updateTable('endkunden')
    .set({ gehoert_zu: null })
    .where('mandant_id', '=', tx.mandant)
    .where('gehoert_zu', '=', id)
    .execute();
}

/** Which of these references are known. */
export async function lockReferences(tx: MandantTx, referenzen: string[]): Promise<EndkundeRow[]> {
  return select(tx)
    .where(sql<boolean>`referenz = ANY(${referenzen}::text[])`)
    .orderBy('referenz')
    .forUpdate()
    .execute();
}
