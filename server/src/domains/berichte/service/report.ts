/** The report of a week, from the sums and from what lower slices tell of their own. */
import type { Right } from '#contracts';
import { readMandant } from '#domains/mandant/index.ts';
import { type Snapshot, withSnapshot } from '#domains/verbrauch/index.ts';
import type { MandantId } from '#kernel/mandant-id.ts';
import { toIsoWithOffset } from '#kernel/zeitraum.ts';
import type { ServiceContext } from '#platform/context.ts';
import { noWeek, weekAhead } from '../errors.ts';
import { parseWeek, partsWithheld, type Report, thisWeek, weekName, windowOf } from '../rules.ts';
import { readBudgets, readFound, readTwinOf } from './around.ts';
import { readConsumed } from './consumed.ts';

/** The Monday that is asked for, else that of the last whole week. InvalidInput for what is none, and for one ahead. */
function mondayAsked(text: string | undefined, { now, zone }: Snapshot): Temporal.PlainDate {
  const current = thisWeek(now, zone);
  if (text === undefined) return current.subtract({ weeks: 1 });
  const monday = parseWeek(text);
  if (!monday) throw noWeek(text);
  if (Temporal.PlainDate.compare(monday, current) > 0) throw weekAhead(text);
  return monday;
}

/**
 * The report of a week for somebody with these rights, all on one snapshot; `woche` names it (the last whole one unless given).
 * InvalidInput for what is no week, and for one that has not begun.
 */
export function readReport(
  context: Pick<ServiceContext, 'db' | 'clock' | 'config' | 'log'>,
  mandant: MandantId,
  woche: string | undefined,
  rechte: readonly Right[],
): Promise<Report> {
  return withSnapshot(context, mandant, async (snapshot) => {
    const { now, zone, gezaehltBis } = snapshot;
    const monday = mondayAsked(woche, snapshot);
    const window = windowOf(monday, zone);
    const ausgelassen = partsWithheld(rechte);
    const ifSeen = async <T>(part: (typeof ausgelassen)[number], read: () => Promise<T>) =>
      ausgelassen.includes(part) ? null : await read();
    const { firma } = await readMandant(snapshot.tx);
    const isCounted =
      Temporal.Instant.compare(Temporal.Instant.from(gezaehltBis), window.bis.toInstant()) >= 0;
    return {
      woche: weekName(monday),
      von: toIsoWithOffset(window.von),
      bis: toIsoWithOffset(window.bis),
      zeitzone: zone,
      firma,
      erstellt_am: now.toString(),
      gezaehlt_bis: gezaehltBis,
      vorlaeufig: !isCounted,
      ...(await readConsumed(snapshot, monday)),
      befunde: await ifSeen('befunde', () => readFound(snapshot, window)),
      budgets: await ifSeen('budgets', () => readBudgets(snapshot)),
      zwilling: await ifSeen('zwilling', () => readTwinOf(snapshot, window)),
      ausgelassen,
    };
  });
}
