/** Statements as documents, in the branding of the Mandant. */
import { fetchLogo, readMandant } from '#domains/mandant/index.ts';
import { withSnapshot } from '#domains/verbrauch/index.ts';
import { AppError } from '#kernel/errors.ts';
import type { MandantId } from '#kernel/mandant-id.ts';
import type { ServiceContext } from '#platform/context.ts';
import { requireMonth } from '../month.ts';
import { makeStatement } from '../statement/make.ts';
import type { Statement } from '../statement/model.ts';
import { readStatement } from './statement.ts';

export type DocumentContext = Pick<
  ServiceContext,
  'db' | 'clock' | 'config' | 'documents' | 'outbound' | 'log'
>;

/** Null where none is set, or where it cannot be had: a statement is made without it. */
async function logoOf(context: DocumentContext, mandant: MandantId): Promise<Uint8Array | null> {
  try {
    return (await fetchLogo(context, mandant)).bytes;
  } catch (error) {
    if (error instanceof AppError) return null;
    throw error;
  }
}

export interface StatementDocument {
  bytes: Uint8Array;
  monat: string;
  /** Name of who sends it. */
  absender: string;
}

/** The statement of an end customer as PDF. Throws 404; 422 for a month that cannot be; 503 when too many wait. */
export async function statementDocument(
  context: DocumentContext,
  mandant: MandantId,
  { monat, referenz }: { monat: string | undefined; referenz: string },
): Promise<StatementDocument> {
  const { figures, brand, erstellt_am, geschlossen_am } = await withSnapshot(
    context,
    mandant,
    async ({ tx, now, zone }) => {
      const figures = await readStatement({ tx, now, zone }, requireMonth(monat, now, zone), referenz);
      const dayOf = (instant: Temporal.Instant) => instant.toZonedDateTimeISO(zone).toPlainDate().toString();
      const closed = figures.geschlossen_am;
      return {
        figures,
        brand: await readMandant(tx),
        erstellt_am: dayOf(now),
        geschlossen_am: closed === null ? null : dayOf(Temporal.Instant.from(closed)),
      };
    },
  );
  const statement: Statement = {
    ...figures,
    sprache: 'de',
    erstellt_am,
    geschlossen_am,
    absender: {
      name: brand.branding_name ?? brand.firma,
      farbe: brand.branding_farbe,
      logo: await logoOf(context, mandant),
      fusszeile: brand.branding_fusszeile,
    },
  };
  return {
    bytes: await makeStatement(context.documents, statement),
    monat: figures.monat,
    absender: statement.absender.name,
  };
}
