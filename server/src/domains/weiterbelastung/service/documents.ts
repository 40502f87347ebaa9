/** Statements as documents, in the branding of the Mandant. */
import { createHash } from 'node:crypto';
import { type Akteur, recordChange } from '#domains/protokoll/index.ts';
import { withSnapshot } from '#domains/verbrauch/index.ts';
import type { MandantId } from '#kernel/mandant-id.ts';
import type { ServiceContext } from '#platform/context.ts';
import type { Patience } from '#platform/documents.ts';
import { requireMonth } from '../month.ts';
import { makeStatement } from '../statement/make.ts';
import type { Statement } from '../statement/model.ts';
import { readSenderOf, withLogo } from './brand.ts';
import type { Moment } from './moment.ts';
import { type Figures, readStatement } from './statement.ts';

export type DocumentContext = Pick<
  ServiceContext,
  'db' | 'clock' | 'config' | 'documents' | 'outbound' | 'log'
>;

/** What is to be set: the figures as of a moment, by who sends them. */
export function modelOf(
  { now, zone }: Pick<Moment, 'now' | 'zone'>,
  absender: Statement['absender'],
  figures: Figures,
): Statement {
  const dayOf = (instant: Temporal.Instant) => instant.toZonedDateTimeISO(zone).toPlainDate().toString();
  const closed = figures.geschlossen_am;
  return {
    ...figures,
    sprache: 'de',
    // A final statement is of the day it became final, whenever it is set: the same bytes for whoever gets it.
    erstellt_am: closed === null ? dayOf(now) : dayOf(Temporal.Instant.from(closed)),
    geschlossen_am: closed === null ? null : dayOf(Temporal.Instant.from(closed)),
    absender,
  };
}

export interface StatementDocument {
  bytes: Uint8Array;
  sha256: string;
  monat: string;
  status: Figures['status'];
  referenz: string;
  /** The number of the end customer's own line in bookkeeping. */
  belegnummer: string;
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
  const read = await withSnapshot(context, mandant, async ({ tx, now, zone }) => {
    const figures = await readStatement({ tx, now, zone }, requireMonth(monat, now, zone), referenz);
    return { figures, sender: await readSenderOf(tx, figures.monat), moment: { now, zone } };
  });
  const statement = modelOf(read.moment, await withLogo(context, mandant, read.sender), read.figures);
  const bytes = await makeStatement(context.documents, mandant, statement, options);
  const { monat: of, status, zeile } = read.figures;
  return {
    bytes,
    sha256: createHash('sha256').update(bytes).digest('hex'),
    monat: of,
    status,
    referenz: zeile.referenz,
    belegnummer: zeile.belegnummer,
    absender: statement.absender.name,
  };
}

/** That a statement left, as the audit log has it. */
export const issued = (
  akteur: Akteur,
  { monat, status, sha256, referenz }: StatementDocument,
  more: { versendung_id?: string } = {},
) => ({
  akteur,
  aktion: 'weiterbelastung.ausgegeben' as const,
  objekt: { art: 'abrechnungsmonat' as const, id: monat, name: monat },
  nachher: { format: 'pdf', status, referenz, sha256, ...more },
});

/** The statement for somebody who keeps it: the audit log has its SHA-256. Throws as `statementDocument`. */
export async function issueStatement(
  context: DocumentContext,
  mandant: MandantId,
  akteur: Akteur,
  asked: Parameters<typeof statementDocument>[2],
): Promise<StatementDocument> {
  const made = await statementDocument(context, mandant, asked);
  await context.db.forMandant(mandant, (tx) =>
    recordChange(tx, mandant, context.clock.now(), issued(akteur, made)),
  );
  return made;
}
