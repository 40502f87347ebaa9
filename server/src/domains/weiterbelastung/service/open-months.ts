/** What an end customer has in months that are not closed. */
import { type Snapshot, withSnapshot } from '#domains/verbrauch/index.ts';
import type { MandantId } from '#kernel/mandant-id.ts';
import type { ServiceContext } from '#platform/context.ts';
import { type OpenMonth, stillOpen } from '../errors.ts';
import { monthAfter, monthOf, windowOf } from '../month.ts';
import { usageLine } from '../rules.ts';
import { readClosedMonths } from '../store/months.ts';
import { readSettings } from '../store/settings.ts';
import { readCustomers, toCustomer } from './customers.ts';
import { momentOf } from './moment.ts';
import { usageByMonth } from './usage.ts';

type Context = Pick<ServiceContext, 'db' | 'clock' | 'config' | 'log'>;

/** From the first month behind the closed ones, or with calls where none is closed, to the current one; null without any call. */
function windowOfOpen({ now, zone, stand }: Snapshot, lastClosed: string | undefined) {
  if (!stand.daten_von) return null;
  const first = lastClosed ? monthAfter(lastClosed) : monthOf(Temporal.Instant.from(stand.daten_von), zone);
  const { von } = windowOf(first, zone);
  const { bis } = windowOf(monthOf(now, zone), zone);
  return Temporal.ZonedDateTime.compare(von, bis) < 0 ? { von, bis } : null;
}

/** With all that counts for it, the earliest month first; none of an end customer that counts for another one, which is charged then. */
async function openMonthsOf(context: Context, snapshot: Snapshot, id: string): Promise<OpenMonth[]> {
  const { tx, zone } = snapshot;
  const customers = await readCustomers(tx, [id]);
  const row = customers.all.find(({ endkunde_id }) => endkunde_id === id);
  const window = windowOfOpen(snapshot, (await readClosedMonths(tx))[0]?.monat);
  if (!row || row.gehoert_zu !== null || row.entfernt_am !== null || window === null) return [];
  const referenzen = customers.references(row).map(({ referenz }) => referenz);
  const used = await usageByMonth(momentOf(context, { ...snapshot, zone }), window, referenzen);
  const terms = await readSettings(tx);
  return [...used]
    .map(([monat, usage]) => usageLine(monat, toCustomer(row), usage, terms))
    .sort((a, b) => (a.monat < b.monat ? -1 : 1));
}

/** Throws 409 where the end customer has calls in a month that is not closed. */
export const requireNothingOpen = (context: Context, mandant: MandantId, id: string): Promise<void> =>
  withSnapshot(context, mandant, async (snapshot) => {
    const months = await openMonthsOf(context, snapshot, id);
    if (months.length > 0) throw stillOpen(months);
  });
