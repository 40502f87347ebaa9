/**
 * SQL of what is exported, mostly read by cursors. Columns that hold secrets or their hashes are in no statement.
 */
import type { MandantTx, Snapshot } from '#platform/database/index.ts';
import { type ColumnName, selectOf } from './columns.ts';
import type { Piece } from './json.ts';
import type { TableExcerpt, TableList } from './lists.ts';

/** A row of a list, by column. */
export type Row = Partial<Record<ColumnName, string | number | boolean | null>>;

/** Free data make a row as long as they like; it comes in pieces of this many characters. */
const PIECE = 32_768;
const PIECES_AT_ONCE = 200;
/** Rows are turned into CSV here, page by page; others wait for no more than a page. */
const ROWS_AT_ONCE = 250;

/**
 * The rows of a list as JSON text, as the user may read them. The database makes it: it is exact, and this thread has requests to answer.
 */
export const readAsJson = (
  { tx, pages }: Snapshot,
  { name, columns, isOwn, order }: TableList,
  benutzerId: string,
) =>
  // OFFSET 0 keeps the text of a row from being made once for each piece.
  pages<Piece>(
    `SELECT substr(line, part * ${PIECE} + 1, ${PIECE}) AS text, part = 0 AS "isNew"
     FROM (SELECT row_to_json(r)::text AS line
           FROM (SELECT ${selectOf(columns)} FROM ${name} AS eintrag WHERE eintrag.mandant_id = $1${isOwn ? ' AND eintrag.benutzer_id = $2' : ''} ORDER BY ${order}) AS r OFFSET 0) AS lines,
       generate_series(0, length(line) / ${PIECE}) AS part`,
    isOwn ? [tx.mandant, benutzerId] : [tx.mandant],
    PIECES_AT_ONCE,
  );

/** The rows of a list from the first day on, `first` as its column takes it. */
export const readSince = (
  { tx, pages }: Snapshot,
  { name, columns, order, since }: TableExcerpt,
  first: string,
) =>
  pages<Row>(
    `SELECT ${selectOf(columns)} FROM ${name} AS eintrag WHERE eintrag.mandant_id = $1 AND ${since} >= $2 ORDER BY ${order}`,
    [tx.mandant, first],
    ROWS_AT_ONCE,
  );

/** A batch that is not counted: not yet, or for a reason never. */
export interface BatchRow {
  eingang_id: string;
  empfangen_am: string;
  schluessel_id: string;
  projekt: string | null;
  anzahl: number;
  umfang: number;
  /** Compressed, as it was accepted. */
  daten: Buffer;
  grund: string | null;
}

const BATCH = 'eingang_id, empfangen_am, schluessel_id, projekt, anzahl, umfang, daten';

/** One at a time: unpacked, a batch takes megabytes. */
export const readUncounted = ({ tx, pages }: Snapshot) =>
  pages<BatchRow>(
    `SELECT ${BATCH}, NULL AS grund FROM eingang WHERE mandant_id = $1
     UNION ALL SELECT ${BATCH}, grund FROM eingang_unzaehlbar WHERE mandant_id = $1 ORDER BY eingang_id`,
    [tx.mandant],
    1,
  );

/** Where users sign in with their company account; null when nowhere. The secret is only said to be there. */
export async function readSsoAnbieter(tx: MandantTx): Promise<object | null> {
  const row = await tx
    .selectFrom('sso_anbieter')
    .select(['aktiv', 'name', 'issuer', 'client_id', 'rolle_neu'])
    .select((eb) => eb('client_secret', 'is not', null).$castTo<boolean>().as('client_secret_gesetzt'))
    .executeTakeFirst();
  return row ?? null;
}

/** The Mandant at the payment provider; null when it never booked. */
export async function readBuchung(tx: MandantTx): Promise<object | null> {
  const row = await tx.selectFrom('buchungen').select(['kunde', 'abonnement']).executeTakeFirst();
  return row ?? null;
}
