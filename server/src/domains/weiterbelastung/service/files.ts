/** What all end customers are charged for a month, as files for bookkeeping. */
import { createHash } from 'node:crypto';
import type { QueryOf, weiterbelastungAusgeben } from '#contracts';
import { type Akteur, recordChange } from '#domains/protokoll/index.ts';
import { withSnapshot } from '#domains/verbrauch/index.ts';
import type { MandantId } from '#kernel/mandant-id.ts';
import type { ServiceContext } from '#platform/context.ts';
import { writeLinesCsv } from '../csv.ts';
import { batchImpossible } from '../errors.ts';
import { fileNameOf, UnwritableBatch, writeBatch } from '../extf/write.ts';
import type { Line } from '../line.ts';
import { requireMonth } from '../month.ts';
import { type Amendment, readAmendments } from '../store/lines.ts';
import { readSettings, type Settings } from '../store/settings.ts';
import { type Bill, billOf, termsOf } from './bill.ts';
import { bookingOf } from './booking.ts';

export interface BillFile {
  name: string;
  type: string;
  bytes: Buffer;
}

async function tableOf(bill: Bill, lines: Line[]): Promise<BillFile> {
  const percentOf = (line: Line) => termsOf(bill, line).steuersatz_prozent;
  const parts = await Array.fromAsync(writeLinesCsv(bill.monat, lines, percentOf));
  return {
    name: `weiterbelastung-${bill.monat}.csv`,
    type: 'text/csv; charset=utf-8',
    bytes: Buffer.from(parts.join('')),
  };
}

function batchOf(bill: Bill, lines: Line[], settings: Settings, at: Date): BillFile {
  const booking = bookingOf(bill, settings);
  try {
    const { datei } = writeBatch(booking.settings, bill.monat, lines, at, booking.settingsOf);
    return {
      name: fileNameOf(bill.monat),
      type: 'text/csv; charset=windows-1252',
      bytes: Buffer.from(datei),
    };
  } catch (error) {
    if (error instanceof UnwritableBatch) throw batchImpossible(error);
    throw error;
  }
}

/** The lines of a bill, known as bookkeeping is to know them. */
const amended = (bill: Bill, amendments: ReadonlyMap<string, Amendment>): Line[] =>
  [...bill.lines, ...bill.corrections].map((line) => ({ ...line, ...amendments.get(line.zahler) }));

/** The file of a month. Throws 422; 409 where settings are missing or a line cannot be booked. The audit log keeps its SHA-256. */
export async function billFile(
  context: ServiceContext,
  mandant: MandantId,
  akteur: Akteur,
  { monat, format }: QueryOf<typeof weiterbelastungAusgeben>,
): Promise<BillFile> {
  const at = context.clock.now();
  const { bill, lines, settings } = await withSnapshot(context, mandant, async ({ tx, now, zone }) => {
    const bill = await billOf({ tx, now, zone }, requireMonth(monat, now, zone));
    const lines = amended(bill, await readAmendments(tx, bill.monat));
    return { bill, lines, settings: await readSettings(tx) };
  });
  const file = format === 'ledger' ? batchOf(bill, lines, settings, at) : await tableOf(bill, lines);
  await context.db.forMandant(mandant, (tx) =>
    recordChange(tx, mandant, at, {
      akteur,
      aktion: 'weiterbelastung.ausgegeben',
      objekt: { art: 'abrechnungsmonat', id: bill.monat, name: bill.monat },
      nachher: { format, status: bill.status, sha256: createHash('sha256').update(file.bytes).digest('hex') },
    }),
  );
  return file;
}
