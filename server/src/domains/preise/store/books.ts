/** SQL of price books, for requests. An edition is never changed. */
import { sql } from 'kysely';
import type { MandantTx } from '#platform/database/index.ts';
import type { BookContent } from '../book/content.ts';

/** An edition as it is stored; `erstellt_am` is ISO 8601 in UTC. */
export interface EditionRow {
  fassung: number;
  inhalt: BookContent;
  erstellt_am: string;
  erstellt_von: string | null;
}

const COLUMNS = ['fassung', 'inhalt', 'erstellt_am', 'erstellt_von'] as const;

const selectEditions = (tx: MandantTx) =>
  tx
    .selectFrom('preisbuecher')
    .select(COLUMNS)
    .where('mandant_id', '=', tx.mandant)
    .$narrowType<{ inhalt: BookContent }>();

/** The edition in force; undefined where there is none. */
export const readLatest = (tx: MandantTx): Promise<EditionRow | undefined> =>
  selectEditions(tx).orderBy('fassung', 'desc').limit(1).executeTakeFirst();

export const readEdition = (tx: MandantTx, fassung: number): Promise<EditionRow | undefined> =>
  selectEditions(tx).where('fassung', '=', fassung).executeTakeFirst();

export async function insertEdition(tx: MandantTx, { inhalt, ...row }: EditionRow): Promise<void> {
  await tx
    .insertInto('preisbuecher')
    .values({ ...row, mandant_id: tx.mandant, inhalt: JSON.stringify(inhalt) })
    .execute();
}

/** An edition in short. */
export interface EditionInShort extends Omit<EditionRow, 'inhalt'> {
  preise: number;
  rabatte: number;
  freigaben: number;
}

const lengthOf = (list: 'preise' | 'rabatte' | 'freigaben') =>
  sql<number>`jsonb_array_length(inhalt->${sql.lit(list)})`.as(list);

/** Editions, the latest first, at most this many, before `before`. */
export function listEditions(
  tx: MandantTx,
  { limit, before }: { limit: number; before: number | null },
): Promise<EditionInShort[]> {
  const query = tx
    .selectFrom('preisbuecher')
    .select(['fassung', 'erstellt_am', 'erstellt_von'])
    .select([lengthOf('preise'), lengthOf('rabatte'), lengthOf('freigaben')])
    .where('mandant_id', '=', tx.mandant)
    .orderBy('fassung', 'desc')
    .limit(limit);
  return (before === null ? query : query.where('fassung', '<', before)).execute();
}

/** The number of the edition in force; 0 where there is none. */
export async function currentEdition(tx: MandantTx): Promise<number> {
  const { fassung } = await tx
    .selectFrom('preisbuecher')
    .select(({ fn }) => fn.max('fassung').as('fassung'))
    .where('mandant_id', '=', tx.mandant)
    .executeTakeFirstOrThrow();
  return fassung ?? 0;
}

/** Whether the price book in force names an approved model that may stand for others. */
export async function hasApproved(tx: MandantTx): Promise<boolean> {
  const latest = await readLatest(tx);
  return latest?.inhalt.freigaben.some(({ ersetzt }) => ersetzt.length > 0) ?? false;
}
