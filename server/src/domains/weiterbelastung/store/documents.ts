/** SQL of statements as they were issued. Months are `YYYY-MM`. */
import { sql } from 'kysely';
import type { MandantTx } from '#platform/database/index.ts';
import { firstDay } from './months.ts';

/** A statement of a closed month, as its recipients have it. */
export interface IssuedDocument {
  pdf: Buffer;
  /** Of the PDF, in hexadecimal digits. */
  sha256: string;
}

/** The largest that is kept, in bytes, as the table has it: a thousand rows and the largest logo are less. */
const MOST_BYTES = 16 * 1024 * 1024;

const selectIssued = (tx: MandantTx, monat: string, referenz: string) =>
  tx
    .selectFrom('abrechnung_dokumente')
    .select(['pdf', 'sha256'])
    .where('mandant_id', '=', tx.mandant)
    .where(sql<boolean>`monat = ${firstDay(monat)}::date`)
    .where('referenz', '=', referenz);

/** What was issued to an end customer of a month; undefined where nothing was. */
export const readIssued = (
  tx: MandantTx,
  monat: string,
  referenz: string,
): Promise<IssuedDocument | undefined> => selectIssued(tx, monat, referenz).executeTakeFirst();

/**
 * Keeps what is issued, unless something was issued already; gives what is kept. Of two at once the second waits for the first. Throws
 * RangeError for a document larger than any is.
 */
export async function keepIssued(
  tx: MandantTx,
  { monat, referenz, am, ...made }: IssuedDocument & { monat: string; referenz: string; am: string },
): Promise<IssuedDocument> {
  if (made.pdf.length > MOST_BYTES)
    throw new RangeError(`a document of ${made.pdf.length} bytes; ${MOST_BYTES} are kept`);
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('abrechnung_dokumente')
    .values({ mandant_id: tx.mandant, monat: firstDay(monat), referenz, ...made, ausgegeben_am: am })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows ? made : selectIssued(tx, monat, referenz).executeTakeFirstOrThrow();
}
