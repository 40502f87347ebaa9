/** What stands in the way of closing a month, or is worth knowing before it. */
import { MAX_HINDERNISSE, type Monatsabschlussergebnis, type Static } from '#contracts';
import { rateSources, type Snapshot } from '#domains/verbrauch/index.ts';
import type { MandantTx } from '#platform/database/index.ts';
import { batchImpossible } from '../errors.ts';
import type { BookingFault } from '../extf/booking.ts';
import type { SettingsFault } from '../extf/settings.ts';
import { batchFaults } from '../extf/write.ts';
import { monthBefore, monthOf } from '../month.ts';
import { readSettings, type Settings } from '../store/settings.ts';
import type { Bill } from './bill.ts';
import { bookingOf, isBooked } from './booking.ts';

type Pruefung = NonNullable<Static<typeof Monatsabschlussergebnis>['pruefung']>;

/** What could never be booked of a bill; nothing where the Mandant keeps no books in this form. */
function obstacles(bill: Bill, settings: Settings): (SettingsFault | BookingFault)[] {
  if (!isBooked(settings)) return [];
  const { settings: booking, settingsOf } = bookingOf(bill, settings);
  return batchFaults(booking, bill.monat, [...bill.lines, ...bill.corrections], settingsOf);
}

/** Throws 409 where a line could never be booked. */
export async function requireBookable(tx: MandantTx, bill: Bill): Promise<void> {
  const faults = obstacles(bill, await readSettings(tx));
  if (faults.length > 0) throw batchImpossible({ faults });
}

const toApi = (fault: SettingsFault | BookingFault): Pruefung['hindernisse'][number] => ({
  referenz: 'referenz' in fault ? fault.referenz : null,
  feld: fault.feld,
  code: fault.code,
  zeichen: 'zeichen' in fault ? fault.zeichen : null,
  ...fault.satz,
});

/** Open months with calls before it, where none is closed yet. */
function openBefore(bill: Bill, { stand, zone }: Snapshot): number {
  if (bill.lastClosed !== null || !stand.daten_von) return 0;
  const oldest = monthOf(Temporal.Instant.from(stand.daten_von), zone);
  let count = 0;
  for (let monat = monthBefore(bill.monat); monat >= oldest; monat = monthBefore(monat)) count += 1;
  return count;
}

const nameless = ({ lines, corrections }: Bill): number =>
  new Set([...lines, ...corrections].flatMap(({ zahler, name }) => (name === null ? zahler : []))).size;

/** All of it, of a month that is about to be closed. */
export async function rehearse(snapshot: Snapshot, bill: Bill): Promise<Pruefung> {
  const { tx, ask } = snapshot;
  const settings = await readSettings(tx);
  const faults = obstacles(bill, settings);
  const { summe } = await ask({ window: bill.window, by: [] });
  const sources = await rateSources(tx, bill.window, summe);
  const substitute = sources.find(({ quelle }) => quelle === 'ersatz');
  return {
    gebucht: isBooked(settings),
    hindernisse: faults.slice(0, MAX_HINDERNISSE).map(toApi),
    hindernisse_gesamt: faults.length,
    ersatz_anteil: sources.length === 0 ? null : (substitute?.anteil ?? '0'),
    offene_monate_davor: openBefore(bill, snapshot),
    ohne_namen: nameless(bill),
    ohne_endkunde: bill.without.aufrufe,
  };
}
