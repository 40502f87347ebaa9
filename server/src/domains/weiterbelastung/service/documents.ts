/** Statements as documents, in the branding of the Mandant. */
import { fetchLogo, type MandantRow, readMandant } from '#domains/mandant/index.ts';
import { withSnapshot } from '#domains/verbrauch/index.ts';
import { AppError } from '#kernel/errors.ts';
import type { MandantId } from '#kernel/mandant-id.ts';
import type { ServiceContext } from '#platform/context.ts';
import type { Patience } from '#platform/documents.ts';
import { requireMonth } from '../month.ts';
import { makeStatement } from '../statement/make.ts';
import type { Statement } from '../statement/model.ts';
import type { Moment } from './bill.ts';
import { type Figures, readStatement } from './statement.ts';

export type DocumentContext = Pick<
  ServiceContext,
  'db' | 'clock' | 'config' | 'documents' | 'outbound' | 'log'
>;

/** Null where none is set, or where it cannot be had: a statement is made without it. */
export async function logoOf(
  context: Pick<ServiceContext, 'db' | 'outbound' | 'log'>,
  mandant: MandantId,
): Promise<Uint8Array | null> {
  try {
    return (await fetchLogo(context, mandant)).bytes;
  } catch (error) {
    if (error instanceof AppError) return null;
    throw error;
  }
}

/** What is to be set: the figures as of a moment, under the name and in the colours of the Mandant. */
export function modelOf(
  { now, zone }: Pick<Moment, 'now' | 'zone'>,
  brand: Pick<MandantRow, 'branding_name' | 'firma' | 'branding_farbe' | 'branding_fusszeile'>,
  logo: Uint8Array | null,
  figures: Figures,
): Statement {
  const dayOf = (instant: Temporal.Instant) => instant.toZonedDateTimeISO(zone).toPlainDate().toString();
  const closed = figures.geschlossen_am;
  return {
    ...figures,
    sprache: 'de',
    erstellt_am: dayOf(now),
    geschlossen_am: closed === null ? null : dayOf(Temporal.Instant.from(closed)),
    absender: {
      name: brand.branding_name ?? brand.firma,
      farbe: brand.branding_farbe,
      logo,
      fusszeile: brand.branding_fusszeile,
    },
  };
}

export interface StatementDocument {
  bytes: Uint8Array;
  monat: string;
  /** Name of who sends it. */
  absender: string;
}

/** The statement of an end customer as PDF. Throws 404; 422 for a month that cannot be; 503 when too many wait (unless `patient`). */
export async function statementDocument(
  context: DocumentContext,
  mandant: MandantId,
  { monat, referenz }: { monat: string | undefined; referenz: string },
  options: Patience = {},
): Promise<StatementDocument> {
  const read = await withSnapshot(context, mandant, async ({ tx, now, zone }) => ({
    figures: await readStatement({ tx, now, zone }, requireMonth(monat, now, zone), referenz),
    brand: await readMandant(tx),
    moment: { now, zone },
  }));
  const statement = modelOf(read.moment, read.brand, await logoOf(context, mandant), read.figures);
  return {
    bytes: await makeStatement(context.documents, mandant, statement, options),
    monat: read.figures.monat,
    absender: statement.absender.name,
  };
}
