/** Consumption by any dimension, and of one day. */
import {
  type apiVerbrauch,
  DIMENSION_NAMES,
  type DimensionName,
  MAX_DIVIDED,
  type QueryOf,
  type ResponseOf,
  type uebersichtTag,
} from '#contracts';
import { InvalidInput } from '#kernel/errors.ts';
import type { MandantId } from '#kernel/mandant-id.ts';
import type { Sentence } from '#kernel/sentence.ts';
import { toIsoWithOffset, type Window } from '#kernel/zeitraum.ts';
import { cursorOf } from '#platform/page.ts';
import { consumptionByProject, type Filter } from '../consumption.ts';
import { readCursor, writeCursor } from '../cursor.ts';
import { hourKey, toFigures, toRest, toSumme, toZeile } from '../rules.ts';
import { dayAfter, resolveWindow } from '../window.ts';
import { rateSources } from './rate-sources.ts';
import { type Context, type Snapshot, withSnapshot } from './snapshot.ts';
import { type Division, divided, divisionFault } from './teile.ts';

type Query = QueryOf<typeof apiVerbrauch>;

const refused = <Q extends object>(query: Q, name: keyof Q & string, reason: Sentence) =>
  new InvalidInput({ path: [name], reason, input: query[name] ?? null });

/** The one filter of a query. InvalidInput when there are several. */
export function filterOf(query: Pick<Query, DimensionName>): Filter | null {
  const [first, second] = DIMENSION_NAMES.filter((name) => query[name] !== undefined);
  if (second)
    throw refused(query, second, {
      de: `gefiltert wird nach einem Merkmal, hier sind es ${first} und ${second}`,
      en: `one dimension can be filtered by, here are ${first} and ${second}`,
    });
  return first ? { dimension: first, value: query[first] ?? '' } : null;
}

/** The window that is asked for, that of the first page on every page. InvalidInput when it is none. */
function windowOf(query: Query, begin: ReturnType<typeof readCursor>, { now, zone }: Snapshot): Window {
  const window = resolveWindow(begin?.window ?? query, now, zone);
  if ('field' in window) throw refused(query, begin ? 'nach' : window.field, window.reason);
  return window;
}

/** How the groups are divided, null when they are not to be. InvalidInput when they cannot be. */
function divisionOf(query: Query, window: Window, where: Filter | null): Division | null {
  if (query.teilung === undefined) return null;
  const division = { window, by: query.gruppe, teilung: query.teilung, where };
  const fault = divisionFault(division);
  if (fault) throw refused(query, 'teilung', fault);
  return division;
}

/** Consumption of a window by any dimension, local day or hour, page by page. InvalidInput when the query asks for nothing. */
export function verbrauch(
  context: Context,
  mandant: MandantId,
  query: Query,
): Promise<ResponseOf<typeof apiVerbrauch>> {
  const { gruppe, limit } = query;
  const where = filterOf(query);
  const begin = readCursor(gruppe, query.nach);
  return withSnapshot(context, mandant, async (snapshot) => {
    const window = windowOf(query, begin, snapshot);
    const after = begin?.after ?? null;
    const division = divisionOf(query, window, where);
    const most = division ? Math.min(limit, MAX_DIVIDED) : limit;
    const groups = await snapshot.ask({ window, limit: most, after, by: gruppe, where });
    const { zeilen, rest, summe, naechster } = groups;
    const keyOf = (text: string) => (gruppe === 'stunde' ? hourKey(text, snapshot.zone) : text);
    return {
      von: toIsoWithOffset(window.von),
      bis: toIsoWithOffset(window.bis),
      gruppe,
      zeilen: zeilen.map((row) => toZeile(keyOf(row.schluessel), row)),
      rest: toRest(rest),
      teile: division && (await divided(snapshot, division, groups)),
      summe: toSumme(summe),
      kursquellen: await rateSources(snapshot.tx, window, summe),
      weiter: naechster && writeCursor(gruppe, window, naechster),
      gezaehlt_bis: snapshot.gezaehltBis,
    };
  });
}

const dayCursor = cursorOf('tag', 'day', 'place', 'text', 'text');

/**
 * Consumption of one local day per project and end customer, page by page; today unless a day is given. InvalidInput for a
 * cursor of another list.
 */
export function consumptionOfDay(
  context: Context,
  mandant: MandantId,
  { datum, limit, nach }: QueryOf<typeof uebersichtTag>,
): Promise<ResponseOf<typeof uebersichtTag>> {
  const [tagOfFirst, place, projekt, endkunde] = dayCursor.read(nach) ?? [];
  const after =
    place && projekt !== undefined && endkunde !== undefined ? { place, projekt, endkunde } : null;
  return withSnapshot(context, mandant, async ({ tx, now, zone, gezaehltBis }) => {
    const tag = tagOfFirst ?? datum ?? now.toZonedDateTimeISO(zone).toPlainDate().toString();
    const von = Temporal.PlainDate.from(tag).toZonedDateTime(zone);
    const window = { von, bis: dayAfter(von) };
    const day = await consumptionByProject(tx, window, { limit, after }, now);
    const last = day.zeilen.at(-1);
    return {
      datum: tag,
      zeitzone: zone,
      zeilen: day.zeilen.map((row) => ({
        projekt: row.projekt,
        endkunde: row.endkunde || null,
        ...toFigures(row),
      })),
      rest: toRest(day.rest),
      summe: toSumme(day.summe),
      kursquellen: await rateSources(tx, window, day.summe),
      weiter: day.hasMore && last ? dayCursor.write([tag, last.place, last.projekt, last.endkunde]) : null,
      gezaehlt_bis: gezaehltBis,
    };
  });
}
