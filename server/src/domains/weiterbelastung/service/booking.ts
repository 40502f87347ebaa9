/** By which settings the lines of a bill are booked. */
import { settingsMissing } from '../errors.ts';
import type { BookingSettings } from '../extf/settings.ts';
import type { SettingsOf } from '../extf/write.ts';
import type { Settings } from '../store/settings.ts';
import type { Bill } from './bill.ts';
import { missingOf } from './settings.ts';

/** As they were when the month was closed; of today where that was not kept or did not do for a batch. */
const settingsOf = (kept: Settings | null | undefined, today: Settings): Settings =>
  kept && missingOf(kept).length === 0 ? kept : today;

const toBooking = (settings: Settings, steuersatz_prozent: string | null): BookingSettings => ({
  ...settings,
  beraternummer: String(settings.beraternummer),
  mandantennummer: String(settings.mandantennummer),
  sammelkonto: settings.sammelkonto as string,
  erloeskonto: settings.erloeskonto as string,
  steuersatz_prozent,
});

/** Whether accounts of one stand in the other's ledger. */
const isSameLedger = (a: Settings, b: Settings): boolean =>
  a.kontenrahmen === b.kontenrahmen && a.sachkontenlaenge === b.sachkontenlaenge;

/** Settings of the batch of a bill, and of each of its lines. Throws 409 that says what to set. */
export function bookingOf(
  bill: Bill,
  today: Settings,
): { settings: BookingSettings; settingsOf: SettingsOf } {
  const whole = settingsOf(bill.closed?.buchhaltung, today);
  const missing = missingOf(whole);
  if (missing.length > 0) throw settingsMissing(missing);
  const of = new Map<string, BookingSettings>();
  for (const [monat, month] of bill.months) {
    const then = settingsOf(month.buchhaltung, whole);
    of.set(monat, toBooking(isSameLedger(then, whole) ? then : whole, month.steuersatz_prozent));
  }
  const settings = toBooking(whole, bill.terms.steuersatz_prozent);
  return {
    settings,
    settingsOf: (line) => (line.art === 'korrektur' ? of.get(line.monat) : undefined) ?? settings,
  };
}

/** Whether there is a batch to be thought of: the Mandant keeps books in this form. */
export const isBooked = (settings: Settings): boolean => missingOf(settings).length === 0;
