/** What all end customers are charged for a month, as files for bookkeeping. */
import { createHash } from 'node:crypto';
import type { QueryOf, weiterbelastungAusgeben } from '#contracts';
import { type Akteur, recordChange } from '#domains/protokoll/index.ts';
import { withSnapshot } from '#domains/verbrauch/index.ts';
import type { MandantId } from '#kernel/mandant-id.ts';
import type { ServiceContext } from '#platform/context.ts';
import { writeLinesCsv } from '../csv.ts';
import { batchImpossible, settingsMissing } from '../errors.ts';
import type { BookingSettings } from '../extf/settings.ts';
import { fileNameOf, UnwritableBatch, writeBatch } from '../extf/write.ts';
import type { Line } from '../line.ts';
import { requireMonth } from '../month.ts';
import { readSettings, type Settings } from '../store/settings.ts';
import { type Bill, billOf } from './bill.ts';
import { missingOf } from './settings.ts';

export interface BillFile {
  name: string;
  type: string;
  bytes: Buffer;
}

/** Settings as a batch needs them, with the tax the month is charged by. Throws 409 that says what to set. */
function bookingSettings(settings: Settings, bill: Bill): BookingSettings {
  const missing = missingOf(settings);
  if (missing.length > 0) throw settingsMissing(missing);
  return {
    ...settings,
    beraternummer: String(settings.beraternummer),
    mandantennummer: String(settings.mandantennummer),
    sammelkonto: settings.sammelkonto as string,
    erloeskonto: settings.erloeskonto as string,
    steuersatz_prozent: bill.terms.steuersatz_prozent,
  };
}

function batchOf(bill: Bill, lines: Line[], settings: Settings, at: Date): BillFile {
  const booking = bookingSettings(settings, bill);
  try {
    const { datei } = writeBatch(booking, bill.monat, lines, at);
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

async function tableOf(bill: Bill, lines: Line[]): Promise<BillFile> {
  const parts = await Array.fromAsync(writeLinesCsv(lines, bill.terms.steuersatz_prozent));
  return {
    name: `weiterbelastung-${bill.monat}.csv`,
    type: 'text/csv; charset=utf-8',
    bytes: Buffer.from(parts.join('')),
  };
}

/** The file of a month. Throws 422; 409 where settings are missing or a line cannot be booked. The audit log keeps its SHA-256. */
export async function billFile(
  context: ServiceContext,
  mandant: MandantId,
  akteur: Akteur,
  { monat, format }: QueryOf<typeof weiterbelastungAusgeben>,
): Promise<BillFile> {
  const at = context.clock.now();
  const { bill, settings } = await withSnapshot(context, mandant, async ({ tx, now, zone }) => ({
    bill: await billOf({ tx, now, zone }, requireMonth(monat, now, zone)),
    settings: await readSettings(tx),
  }));
  const lines = [...bill.lines, ...bill.corrections];
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
