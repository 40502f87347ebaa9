/** Statements as documents, in the branding of the Mandant. */
import { createHash } from 'node:crypto';
import { type Akteur, recordChange } from '#domains/protokoll/index.ts';
import { withSnapshot } from '#domains/verbrauch/index.ts';
import type { MandantId } from '#kernel/mandant-id.ts';
import type { ServiceContext } from '#platform/context.ts';
import type { MandantTx } from '#platform/database/index.ts';
import type { Patience } from '#platform/documents.ts';
import { requireMonth } from '../month.ts';
import { makeStatement } from '../statement/make.ts';
import type { Statement } from '../statement/model.ts';
import { keepIssued, readIssued } from '../store/documents.ts';
import { type Bill, billOfOne } from './bill.ts';
import { readSenderOf, withLogo } from './brand.ts';
import { type Moment, momentOf } from './moment.ts';
import { type Figures, ownerOf, type StatementOwner, statementOf } from './statement.ts';

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
    // A final statement is of the day it became final, whenever it is set: the same bytes for each recipient.
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

/** A statement as it is set now. */
export const documentOf = (bytes: Uint8Array): Pick<StatementDocument, 'bytes' | 'sha256'> => ({
  bytes,
  sha256: createHash('sha256').update(bytes).digest('hex'),
});

/** What was issued of a closed month already, to whom the statement is for. */
export async function issuedBefore(
  tx: MandantTx,
  { closed, monat }: Pick<Bill, 'closed' | 'monat'>,
  { row }: StatementOwner,
): Promise<Pick<StatementDocument, 'bytes' | 'sha256'> | null> {
  const issued = closed ? await readIssued(tx, monat, row.referenz) : undefined;
  return issued ? { bytes: issued.pdf, sha256: issued.sha256 } : null;
}

/** What is known of a statement before it is set; `figures` is null where it was issued already. */
async function readDocument(moment: Moment, asked: { monat: string | undefined; referenz: string }) {
  const { tx, now, zone } = moment;
  const monat = requireMonth(asked.monat, now, zone);
  const bill = await billOfOne(moment, monat, asked.referenz);
  const owner = ownerOf(bill, asked.referenz);
  const issued = await issuedBefore(tx, bill, owner);
  const figures = issued ? null : await statementOf(moment, bill, owner);
  return { bill, owner, issued, figures, sender: await readSenderOf(tx, monat), moment };
}

/**
 * The statement of an end customer as PDF: of a closed month as it was issued, where it was. Throws 404; 422 for a month that cannot be;
 * 503 when too many wait (unless `patient`).
 */
export async function statementDocument(
  context: DocumentContext,
  mandant: MandantId,
  asked: { monat: string | undefined; referenz: string },
  options: Patience = {},
): Promise<StatementDocument> {
  const read = await withSnapshot(context, mandant, (snapshot) =>
    readDocument(momentOf(context, snapshot), asked),
  );
  const { bill, owner, figures } = read;
  const set = async (of: Figures) => {
    const model = modelOf(read.moment, await withLogo(context, mandant, read.sender), of);
    return documentOf(await makeStatement(context.documents, mandant, model, options));
  };
  return {
    ...(read.issued ?? (await set(figures as Figures))),
    monat: bill.monat,
    status: bill.status,
    referenz: owner.row.referenz,
    belegnummer: owner.line.belegnummer,
    absender: read.sender.name,
  };
}

/**
 * What leaves of a statement: of a closed month it is kept, and where another one was faster it is that one. To be called in the transaction
 * that says that it left.
 */
export async function keepAsIssued(
  tx: MandantTx,
  made: StatementDocument,
  at: Date,
): Promise<StatementDocument> {
  if (made.status !== 'geschlossen') return made;
  const { monat, referenz, sha256 } = made;
  const pdf = Buffer.from(made.bytes);
  const issued = await keepIssued(tx, { monat, referenz, pdf, sha256, am: at.toISOString() });
  return { ...made, bytes: issued.pdf, sha256: issued.sha256 };
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

/** The statement for somebody who keeps it: so is what they get, and the audit log has its SHA-256. Throws as `statementDocument`. */
export async function issueStatement(
  context: DocumentContext,
  mandant: MandantId,
  akteur: Akteur,
  asked: Parameters<typeof statementDocument>[2],
): Promise<StatementDocument> {
  const made = await statementDocument(context, mandant, asked);
  const now = context.clock.now();
  return context.db.forMandant(mandant, async (tx) => {
    const leaving = await keepAsIssued(tx, made, now);
    await recordChange(tx, mandant, now, issued(akteur, leaving));
    return leaving;
  });
}
