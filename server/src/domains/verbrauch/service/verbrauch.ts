/** Consumption by any dimension, and of one day. */
import {
  ANY_DIMENSION_NAMES,
  type AnyDimensionName,
  type apiVerbrauch,
  isOwnDimension,
  MAX_DIVIDED,
  OWN_DIMENSION_NAMES,
  type OwnDimensionName,
  type QueryOf,
  type ResponseOf,
  type uebersichtTag,
} from '#contracts';
import { InvalidInput } from '#kernel/errors.ts';
import type { MandantId } from '#kernel/mandant-id.ts';
import type { Sentence } from '#kernel/sentence.ts';
import { toIsoWithOffset, type Window } from '#kernel/zeitraum.ts';
import { cursorOf } from '#platform/page.ts';
import { readCursor, writeCursor } from '../cursor.ts';
import type { EngineConsumption, GroupPosition, ValuesFilter } from '../engine/consumption-by-engine.ts';
import { hourKey, toFigures, toRest, toSumme, toZeile } from '../rules.ts';
import { dayAfter, resolveWindow } from '../window.ts';
import { rateSources } from './rate-sources.ts';
import { type Context, type Snapshot, withSnapshot } from './snapshot.ts';
import { type Division, divided, divisionFault } from './teile.ts';

type Query = QueryOf<typeof apiVerbrauch>;

const refused = <Q extends object>(query: Q, name: keyof Q & string, reason: Sentence) =>
  new InvalidInput({ path: [name], reason, input: query[name] ?? null });

/** Each dimension that a query names, with its values. */
export const filtersOf = (query: Pick<Query, AnyDimensionName>): ValuesFilter[] =>
  ANY_DIMENSION_NAMES.flatMap((dimension) => {
    const values = query[dimension];
    return values ? [{ dimension, values }] : [];
  });

/** What may be divided: one grouping, and one value that calls are filtered by at most. */
interface Plain {
  by: Division['by'];
  where: readonly ValuesFilter[];
}

const isOwn = (by: Query['gruppe'][number]): by is OwnDimensionName =>
  (OWN_DIMENSION_NAMES as readonly string[]).includes(by);

/** Null where there are more, or dimensions of one's own. */
function plainOf({ gruppe }: Query, filters: ValuesFilter[]): Plain | null {
  const [by, another] = gruppe;
  const [filter, second] = filters;
  if (!by || another || second || isOwn(by)) return null;
  if (!filter) return { by, where: [] };
  const { dimension, values } = filter;
  return values.length === 1 && !isOwnDimension(dimension) ? { by, where: filters } : null;
}

/** The window that is asked for, that of the first page on every page. InvalidInput when it is none. */
function windowOf(query: Query, begin: ReturnType<typeof readCursor>, { now, zone }: Snapshot): Window {
  const window = resolveWindow(begin?.window ?? query, now, zone);
  if ('field' in window) throw refused(query, begin ? 'nach' : window.field, window.reason);
  return window;
}

/** How the groups are divided, null when they are not to be. InvalidInput when they cannot be. */
function divisionOf(query: Query, window: Window, plain: Plain | null): Division | null {
  if (query.teilung === undefined) return null;
  if (!plain)
    throw refused(query, 'teilung', {
      de: 'geteilt wird nach einer Gruppe und höchstens einem Filter mit einem Wert; mehrere Gruppen nennt gruppe',
      en: 'one grouping and one filter of one value at most can be divided; gruppe names several groupings',
    });
  const division = { window, teilung: query.teilung, ...plain };
  const fault = divisionFault(division);
  if (fault) throw refused(query, 'teilung', fault);
  return division;
}

/** InvalidInput where a grouping is named twice. */
function requireDifferent(query: Query): void {
  const twice = query.gruppe.find((by, index) => query.gruppe.indexOf(by) < index);
  if (twice === undefined) return;
  throw refused(query, 'gruppe', {
    de: `${twice} steht zweimal darin`,
    en: `${twice} is named twice`,
  });
}

const BETWEEN = ' · ';

/**
 * Consumption of a window by dimensions, local day or hour, page by page. InvalidInput when the query asks for nothing; 503 where
 * several are asked for at once and nothing can answer that just now.
 */
export function verbrauch(
  context: Context,
  mandant: MandantId,
  query: Query,
): Promise<ResponseOf<typeof apiVerbrauch>> {
  const { gruppe, limit } = query;
  requireDifferent(query);
  const where = filtersOf(query);
  const plain = plainOf(query, where);
  const begin = readCursor(gruppe, query.nach);
  return withSnapshot(context, mandant, async (snapshot) => {
    const window = windowOf(query, begin, snapshot);
    const after = begin?.after ?? null;
    const division = divisionOf(query, window, plain);
    const most = division ? Math.min(limit, MAX_DIVIDED) : limit;
    const { zeilen, rest, summe, naechster } = await snapshot.ask({
      ...{ window, limit: most, after, by: gruppe, where },
    });
    const keyOf = (text: string, index: number) =>
      gruppe[index] === 'stunde' ? hourKey(text, snapshot.zone) : text;
    const toRow = ({ schluessel, ...sums }: EngineConsumption['zeilen'][number]) => {
      const werte = schluessel.map(keyOf);
      return { ...toZeile(werte.join(BETWEEN), sums), ...(werte.length > 1 ? { werte } : {}) };
    };
    return {
      von: toIsoWithOffset(window.von),
      bis: toIsoWithOffset(window.bis),
      gruppe: gruppe.join(','),
      zeilen: zeilen.map(toRow),
      rest: toRest(rest),
      teile:
        division &&
        (await divided(snapshot, division, {
          keys: zeilen.map(({ schluessel }) => schluessel[0] ?? ''),
          rest,
        })),
      summe: toSumme(summe),
      kursquellen: await rateSources(snapshot.tx, window, summe),
      weiter: naechster && writeCursor(gruppe, window, naechster),
      gezaehlt_bis: snapshot.gezaehltBis,
    };
  });
}

const dayCursor = cursorOf('tag', 'day', 'place', 'text', 'text');
const cursorOfDay = (tag: string, { place, schluessel: [projekt = '', endkunde = ''] }: GroupPosition) =>
  dayCursor.write([tag, place ?? 'Infinity', projekt, endkunde]);

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
    place && projekt !== undefined && endkunde !== undefined
      ? { place, schluessel: [projekt, endkunde] }
      : null;
  return withSnapshot(context, mandant, async ({ tx, ask, now, zone, gezaehltBis }) => {
    const tag = tagOfFirst ?? datum ?? now.toZonedDateTimeISO(zone).toPlainDate().toString();
    const von = Temporal.PlainDate.from(tag).toZonedDateTime(zone);
    const window = { von, bis: dayAfter(von) };
    const day = await ask({ window, by: ['projekt', 'endkunde'], limit, after });
    return {
      datum: tag,
      zeitzone: zone,
      zeilen: day.zeilen.map(({ schluessel: [projekt = '', endkunde = ''], ...sums }) => ({
        projekt,
        endkunde: endkunde || null,
        ...toFigures(sums),
      })),
      rest: toRest(day.rest),
      summe: toSumme(day.summe),
      kursquellen: await rateSources(tx, window, day.summe),
      weiter: day.naechster && cursorOfDay(tag, day.naechster),
      gezaehlt_bis: gezaehltBis,
    };
  });
}
