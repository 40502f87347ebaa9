/** What all end customers are charged for a month, as a batch for bookkeeping. */
import { createHash } from 'node:crypto';
import { recordChange } from '#domains/protokoll/index.ts';
import { withSnapshot } from '#domains/verbrauch/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import { batchImpossible } from '../errors.ts';
import { fileNameOf, UnwritableBatch, writeBatch } from '../extf/write.ts';
import type { Line } from '../line.ts';
import { requireMonth } from '../month.ts';
import { type Amendment, readAmendments } from '../store/lines.ts';
import { readSettings, type Settings } from '../store/settings.ts';
import { type Bill, billOf } from './bill.ts';
import { bookingOf } from './booking.ts';
import { type Moment, momentOf } from './moment.ts';
import type { FileOrder } from './sealed-file.ts';

export interface BillFile {
  name: string;
  type: string;
  bytes: Buffer;
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

/** The bill of a month with its lines, known as bookkeeping is to know them. Throws 422. */
export async function linesForBooks(moment: Moment, monat: string | undefined) {
  const bill = await billOf(moment, requireMonth(monat, moment.now, moment.zone));
  return { bill, lines: amended(bill, await readAmendments(moment.tx, bill.monat)) };
}

/** The booking batch of a month. Throws 422; 409 where settings are missing or a line cannot be booked. The audit log keeps its SHA-256. */
export async function bookingBatch(
  context: ServiceContext,
  { mandant, akteur, monat }: FileOrder,
): Promise<BillFile> {
  const at = context.clock.now();
  const { bill, lines, settings } = await withSnapshot(context, mandant, async (snapshot) => ({
    ...(await linesForBooks(momentOf(context, snapshot), monat)),
    settings: await readSettings(snapshot.tx),
  }));
  const file = batchOf(bill, lines, settings, at);
  await context.db.forMandant(mandant, (tx) =>
    recordChange(tx, mandant, at, {
      akteur,
      aktion: 'weiterbelastung.ausgegeben',
      objekt: { art: 'abrechnungsmonat', id: bill.monat, name: bill.monat },
      nachher: {
        format: 'ledger',
        status: bill.status,
        sha256: createHash('sha256').update(file.bytes).digest('hex'),
      },
    }),
  );
  return file;
}
