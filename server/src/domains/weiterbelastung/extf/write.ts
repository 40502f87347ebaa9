/** The booking batch of a month as a file of DATEV's format: EXTF 700, „Buchungsstapel“, format version 13. */
import { twoDecimals } from '../gross.ts';
import type { Line } from '../line.ts';
import { type Booking, type BookingFault, monthText, toBooking } from './booking.ts';
import { COLUMNS, MOST_BOOKINGS, PLACE } from './columns.ts';
import { type BookingSettings, type SettingsFault, settingsFaults } from './settings.ts';
import { toWindows1252 } from './windows-1252.ts';

/** Accounts, key and tax of a line, which may be those of the month that it corrects. */
export type SettingsOf = (line: Line) => BookingSettings;

interface Batch {
  buchungen: Booking[];
  /** Lines that are not booked because their amount is 0 or unknown. */
  ausgelassen: Line[];
  /** With one of them nothing can be written. */
  maengel: BookingFault[];
}

/** A batch that cannot be written: settings, lines or their number are at fault. Say so before: `settingsFaults`, `planBatch`. */
export class UnwritableBatch extends Error {
  readonly faults: readonly (SettingsFault | BookingFault)[];

  constructor(message: string, faults: readonly (SettingsFault | BookingFault)[]) {
    super(message);
    this.name = 'UnwritableBatch';
    this.faults = faults;
  }
}

/** The bookings of a month (YYYY-MM), in the order of its lines, with settings that have no fault. */
function planBatch(settingsOf: SettingsOf, month: string, lines: readonly Line[]): Batch {
  const batch: Batch = { buchungen: [], ausgelassen: [], maengel: [] };
  for (const line of lines) {
    const booking = toBooking(settingsOf(line), month, line);
    if (booking === null) batch.ausgelassen.push(line);
    else if ('faults' in booking) batch.maengel.push(...booking.faults);
    else batch.buchungen.push(booking);
  }
  return batch;
}

const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;

const compact = (day: Temporal.PlainDate): string => day.toString().replaceAll('-', '');

/** The first day of the fiscal year that a day is in. */
function fiscalYear(day: Temporal.PlainDate, month: number): Temporal.PlainDate {
  const first = Temporal.PlainDate.from({ year: day.year, month, day: 1 });
  return day.month >= month ? first : first.subtract({ years: 1 });
}

/** `20261103093000000`, as the clock on the wall shows it in Germany: milliseconds, no zone. */
const stampText = (stamp: Date): string =>
  Temporal.Instant.fromEpochMilliseconds(stamp.getTime())
    .toZonedDateTimeISO('Europe/Berlin')
    .toPlainDateTime()
    .toString({ fractionalSecondDigits: 3 })
    .replace(/\D/g, '');

/** The 31 fields of the first line. Text is quoted, what is reserved stays empty as the format wants it. */
function headerOf(settings: BookingSettings, first: Temporal.PlainDate, stamp: Date): string {
  const month = monthText(first.toString());
  return [
    '"EXTF";700;21;"Buchungsstapel";13',
    `${stampText(stamp)};;"ZW";"";""`,
    settings.beraternummer,
    settings.mandantennummer,
    compact(fiscalYear(first, settings.wirtschaftsjahr_beginn)),
    settings.sachkontenlaenge,
    compact(first),
    compact(first.add({ months: 1 }).subtract({ days: 1 })),
    quoted(`${settings.bezeichnung ?? 'Weiterberechnung'} ${month}`),
    quoted(settings.diktatkuerzel ?? ''),
    `1;0;${settings.festschreibung ? 1 : 0};"EUR"`,
    ';"";;',
    quoted(settings.kontenrahmen ?? ''),
    ';;""',
    quoted(month),
  ].join(';');
}

function recordOf(settings: BookingSettings, belegdatum: string, booking: Booking): string {
  const values: Record<number, string> = {
    [PLACE.umsatz]: twoDecimals(booking.umsatz).replace('.', ','),
    [PLACE.sollHaben]: booking.sollHaben,
    [PLACE.wkz]: 'EUR',
    [PLACE.konto]: booking.konto,
    [PLACE.gegenkonto]: booking.gegenkonto,
    [PLACE.buSchluessel]: booking.buSchluessel ?? '',
    [PLACE.belegdatum]: belegdatum,
    [PLACE.belegfeld1]: booking.belegfeld1,
    [PLACE.buchungstext]: booking.buchungstext,
    [PLACE.kost1]: booking.kost1,
    [PLACE.festschreibung]: settings.festschreibung ? '1' : '0',
    [PLACE.abrechnungsreferenz]: `Weiterbelastung ${monthText(booking.monat)}`,
  };
  if (booking.referenz !== '') {
    values[PLACE.beleginfo] = 'Endkunde';
    values[PLACE.beleginfo + 1] = booking.referenz;
  }
  return COLUMNS.map(({ isText }, at) => {
    const value = values[at + 1] ?? '';
    return isText ? quoted(value) : value;
  }).join(';');
}

/** Everything for which the batch of a month cannot be written, whatever else there is. */
export function batchFaults(
  settings: BookingSettings,
  month: string,
  lines: readonly Line[],
  settingsOf: SettingsOf,
): (SettingsFault | BookingFault)[] {
  const wrong = settingsFaults(settings).filter(({ schwere }) => schwere === 'fehler');
  return [...wrong, ...planBatch(settingsOf, month, lines).maengel];
}

/**
 * The file of a month (YYYY-MM) and the lines that are not in it; two files of the same lines differ in the stamp only. Throws
 * `UnwritableBatch` for settings with a fault, lines with one, and more bookings than a file may hold.
 */
export function writeBatch(
  settings: BookingSettings,
  month: string,
  lines: readonly Line[],
  stamp: Date,
  settingsOf: SettingsOf = () => settings,
): { datei: Uint8Array; ausgelassen: Line[] } {
  const wrong = settingsFaults(settings).filter(({ schwere }) => schwere === 'fehler');
  if (wrong.length > 0) throw new UnwritableBatch('settings have faults', wrong);
  const { buchungen, ausgelassen, maengel } = planBatch(settingsOf, month, lines);
  if (maengel.length > 0) throw new UnwritableBatch('lines have faults', maengel);
  if (buchungen.length > MOST_BOOKINGS) throw new UnwritableBatch(`more than ${MOST_BOOKINGS} bookings`, []);
  const first = Temporal.PlainDate.from(`${month}-01`);
  const day = `${first.daysInMonth}${month.slice(5, 7)}`;
  const records = [
    headerOf(settings, first, stamp),
    COLUMNS.map(({ head }) => head).join(';'),
    ...buchungen.map((booking) => recordOf(settings, day, booking)),
  ];
  return { datei: toWindows1252(records.map((record) => `${record}\r\n`).join('')), ausgelassen };
}

/** DATEV offers no file for import that is called otherwise. */
export const fileNameOf = (month: string): string => `EXTF_Buchungsstapel_${month.replace('-', '')}.csv`;
