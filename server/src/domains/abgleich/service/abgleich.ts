/** Counted and invoiced, side by side. */
import { type abgleich, MAX_MONATE, type QueryOf, type ResponseOf } from '#contracts';
import { withSnapshot } from '#domains/verbrauch/index.ts';
import { monthBefore, monthOf, requireMonth } from '#domains/weiterbelastung/index.ts';
import { toInstant } from '#kernel/instant.ts';
import type { MandantId } from '#kernel/mandant-id.ts';
import type { ServiceContext } from '#platform/context.ts';
import { cursorOf, pageOf } from '#platform/page.ts';
import type { Row, Sum } from '../rules.ts';
import { type Moment, readMonth } from './month.ts';
import { byName } from './months.ts';

type Answer = ResponseOf<typeof abgleich>;

const LIST = cursorOf('abgleich.liste', 'day', 'text');
const keyOf = ({ monat, anbieter }: Row): [string, string] => [`${monat}-01`, anbieter ?? ''];
const isBehind = (row: Row, [day, anbieter]: readonly [string, string]): boolean => {
  const [own] = keyOf(row);
  return own < day || (own === day && byName(row.anbieter ?? '', anbieter) > 0);
};

/** A page of it. Throws 422 for a month that cannot be, or a cursor of another list. */
export function readAbgleich(
  context: Pick<ServiceContext, 'db' | 'clock' | 'config' | 'log'>,
  mandant: MandantId,
  { monat, limit, nach }: QueryOf<typeof abgleich>,
): Promise<Answer> {
  const after = LIST.read(nach);
  return withSnapshot(context, mandant, async ({ tx, engine, now, zone, gezaehltBis }) => {
    const moment: Moment = { tx, engine, now, zone };
    const months = monat === undefined ? MAX_MONATE : 1;
    let current = monat === undefined ? monthOf(now, zone) : requireMonth(monat, now, zone);
    const found: Row[] = [];
    const sums: Sum[] = [];
    for (let left = months; left > 0 && found.length <= limit; left -= 1, current = monthBefore(current)) {
      if (after && `${current}-01` > after[0]) continue;
      const { rows, sum } = await readMonth(moment, current);
      found.push(...(after ? rows.filter((row) => isBehind(row, after)) : rows));
      sums.push(sum);
    }
    const { rows, weiter } = pageOf(found, limit, LIST, keyOf);
    const shown = new Set(rows.map((row) => row.monat));
    return {
      zeilen: rows,
      summen: sums.filter((sum) => shown.has(sum.monat)),
      weiter,
      gezaehlt_bis: toInstant(gezaehltBis),
    };
  });
}
