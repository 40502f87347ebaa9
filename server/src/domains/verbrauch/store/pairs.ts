/**
 * Sums of two dimensions at once: of days that have lists from `verbrauch_liste`, of all other times from the events.
 */
import { sql } from 'kysely';
import { DIMENSIONS, type DimensionName } from '#contracts';
import { InvalidInput } from '#kernel/errors.ts';
import { toUtc, type Window } from '#kernel/zeitraum.ts';
import type { MandantTx } from '#platform/database/index.ts';
import { createBreath } from '../lists/breath.ts';
import { GroupSums } from '../lists/group-sums.ts';
import { addList } from '../lists/list.ts';
import { EVENT_FIGURES, eventValue } from '../rollup.ts';
import { dayAfter } from '../window.ts';
import { AS_TEXT, type SumsRow } from './figures.ts';
import { type Filter, numberOf, type Part } from './sums.ts';

/** What of a window is read from where. */
interface Sources {
  /** Local days whose lists are as counted. */
  listed: string[];
  /** Days that are not over, whose parts are as counted. */
  inParts: string[];
  /** Times of which only the events tell. */
  open: Window[];
}

interface DayState {
  tag: string;
  listed: boolean;
  /** ISO 8601 in UTC; null where no parts hold. */
  teile_bis: string | null;
}

const midnight = (tag: string, zone: string) => Temporal.PlainDate.from(tag).toZonedDateTime(zone);

/** Neighbouring windows as one. */
function joined(windows: Window[]): Window[] {
  const result: Window[] = [];
  for (const window of windows.toSorted((a, b) => Temporal.ZonedDateTime.compare(a.von, b.von))) {
    const last = result.at(-1);
    if (last?.bis.equals(window.von)) last.bis = window.bis;
    else result.push({ ...window });
  }
  return result;
}

const eventsNotKept = (from: string, asked: string) =>
  new InvalidInput({
    path: ['von'],
    input: asked,
    reason: {
      de: `vor ${from} gibt es zwei Merkmale zusammen nur für ganze Tage`,
      en: `before ${from} two dimensions together are kept by whole days only`,
    },
  });

/** Throws InvalidInput where events are needed that are not kept any more. The windows in order. */
async function requireKept(tx: MandantTx, windows: Window[]): Promise<void> {
  const [first] = windows;
  if (!first) return;
  const { rows } = await sql<{ ab: string | null }>`
    SELECT to_char(ereignisse_ab AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') AS ab FROM aufbewahrung`.execute(
    tx,
  );
  const ab = rows[0]?.ab ?? null;
  if (ab !== null && Temporal.Instant.compare(first.von.toInstant(), Temporal.Instant.from(ab)) < 0)
    throw eventsNotKept(ab, first.von.toInstant().toString());
}

const earlier = (a: Temporal.ZonedDateTime, b: Temporal.ZonedDateTime) =>
  Temporal.ZonedDateTime.compare(a, b) < 0 ? a : b;
const later = (a: Temporal.ZonedDateTime, b: Temporal.ZonedDateTime) =>
  Temporal.ZonedDateTime.compare(a, b) > 0 ? a : b;
const isEmpty = ({ von, bis }: Window) => Temporal.ZonedDateTime.compare(von, bis) >= 0;

/** What of a day is in its lists or parts, and the rest of it, all within the window. */
function sourcesOfDay({ tag, listed, teile_bis }: DayState, window: Window): Sources {
  const zone = window.von.timeZoneId;
  const [start, end] = [midnight(tag, zone), dayAfter(midnight(tag, zone))];
  const within = { von: later(window.von, start), bis: earlier(window.bis, end) };
  const begins = within.von.equals(start);
  if (listed && begins && within.bis.equals(end)) return { listed: [tag], inParts: [], open: [] };
  const until = teile_bis === null ? null : Temporal.Instant.from(teile_bis).toZonedDateTimeISO(zone);
  if (!until || !begins || Temporal.ZonedDateTime.compare(until, within.bis) > 0)
    return { listed: [], inParts: [], open: [within] };
  return { listed: [], inParts: [tag], open: [{ von: until, bis: within.bis }] };
}

/** Where the sums of two dimensions of a window are. InvalidInput where events would be needed that are not kept any more. */
async function readSources(tx: MandantTx, window: Window): Promise<Sources> {
  const { rows } = await sql<DayState>`
    SELECT tag, gelistet IS NOT DISTINCT FROM geaendert AS listed,
      CASE WHEN teile_stand = geaendert - danach_geaendert
        THEN to_char(teile_bis AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') END AS teile_bis
    FROM verbrauch_tagesstand
    WHERE mandant_id = ${tx.mandant} AND tag >= ${window.von.toPlainDate().toString()}::date
      AND tag <= ${window.bis.toPlainDate().toString()}::date`.execute(tx);
  const days = rows.map((row) => sourcesOfDay(row, window));
  const open = joined(days.flatMap((day) => day.open).filter((time) => !isEmpty(time)));
  await requireKept(tx, open);
  return {
    listed: days.flatMap(({ listed }) => listed),
    inParts: days.flatMap(({ inParts }) => inParts),
    open,
  };
}

async function readEvents(tx: MandantTx, window: Window): Promise<Sources> {
  await requireKept(tx, [window]);
  return { listed: [], inParts: [], open: [window] };
}

/** Events of the times, SELECT of `keys` and the figures by them. Never empty, so that it can be a part of a statement. */
function eventsOf(
  tx: MandantTx,
  windows: Window[],
  keys: Record<string, DimensionName | Part>,
  where?: Filter,
): Part {
  const times = windows.map(
    ({ von, bis }) =>
      sql`(e.zeitpunkt >= ${toUtc(von)}::timestamptz AND e.zeitpunkt < ${toUtc(bis)}::timestamptz)`,
  );
  const names = Object.entries(keys);
  const columns = sql.join(
    names.map(
      ([name, key]) => sql`${typeof key === 'string' ? sql.raw(eventValue(key)) : key} AS ${sql.raw(name)}`,
    ),
  );
  const filter = where ? sql`AND ${sql.raw(eventValue(where.dimension))} = ${where.value}` : sql``;
  return sql`SELECT ${columns}, ${sql.raw(EVENT_FIGURES)} FROM ereignisse e
    WHERE e.mandant_id = ${tx.mandant} AND (${times.length > 0 ? sql.join(times, sql` OR `) : sql`false`}) ${filter}
    GROUP BY ${sql.raw(names.map((_, index) => `${index + 1}`).join(', '))}`;
}

interface ListRow {
  tag: string;
  merkmal_id: number;
  liste: Buffer;
}

/** The lists by a dimension of the values that the SQL array names, each day's one behind the other. */
async function readLists(
  tx: MandantTx,
  { listed, inParts }: Sources,
  merkmale: Part,
  by: DimensionName,
): Promise<ListRow[]> {
  const select = (days: string[], part: Part) => sql`SELECT tag, merkmal_id, liste FROM verbrauch_liste
    WHERE mandant_id = ${tx.mandant} AND tag = ANY(${days}::date[]) AND nach = ${sql.lit(DIMENSIONS[by].number)}
      AND merkmal_id = ANY(${merkmale}) AND ${part}`;
  const { rows } = await sql<ListRow>`${select(listed, sql`teil = 0`)}
    UNION ALL ${select(inParts, sql`teil > 0`)}`.execute(tx);
  return rows;
}

/** Calls of the open times by the numbers of values, and by `bucket` where it is given; those that meet a condition on the numbers. */
async function readOpen<Key extends string>(
  tx: MandantTx,
  { open }: Sources,
  keys: Record<Key, DimensionName>,
  { where, bucket, among }: { where?: Filter; bucket?: Part; among?: Part } = {},
): Promise<(SumsRow & Record<Key, number> & { bucket: string })[]> {
  if (open.length === 0) return [];
  const names = Object.entries<DimensionName>(keys);
  const events = eventsOf(tx, open, { ...(bucket ? { bucket } : {}), ...keys }, where);
  const numbers = names.map(([key]) => sql`${sql.raw(`m_${key}.merkmal_id`)} AS ${sql.raw(key)}`);
  // One by one: without statistics the planner would compare every text with every group.
  const joins = names.map(
    ([key, name]) => sql`CROSS JOIN LATERAL (SELECT merkmal_id FROM merkmale WHERE mandant_id = ${tx.mandant}
      AND dimension = ${sql.lit(DIMENSIONS[name].number)} AND text = ${sql.raw(`s.${key}`)} LIMIT 1) ${sql.raw(`m_${key}`)}`,
  );
  const { rows } = await sql<SumsRow & Record<Key, number> & { bucket: string }>`
    SELECT ${sql.join(numbers)}, ${bucket ? sql`to_json(s.bucket) #>> '{}'` : sql`NULL`} AS bucket, ${AS_TEXT}
    FROM (${events}) s ${sql.join(joins, sql` `)} ${among ? sql`WHERE ${among}` : sql``}`.execute(tx);
  return rows;
}

/** The calls of a window with some values of a dimension, which the SQL array `merkmale` names, by those of another one. */
export async function readTogether(
  tx: MandantTx,
  window: Window,
  { by, merkmale, other }: { by: DimensionName; merkmale: Part; other: DimensionName },
): Promise<Map<number, GroupSums>> {
  const sources = await readSources(tx, window);
  const found = new Map<number, GroupSums>();
  const sumsOf = (merkmal: number) => {
    const known = found.get(merkmal) ?? new GroupSums();
    found.set(merkmal, known);
    return known;
  };
  const breath = createBreath();
  for (const { merkmal_id, liste } of await readLists(tx, sources, merkmale, other)) {
    addList(sumsOf(merkmal_id), liste);
    await breath();
  }
  const among = sql`m_own.merkmal_id = ANY(${merkmale})`;
  for (const row of await readOpen(tx, sources, { own: by, other }, { among })) {
    const sums = sumsOf(row.own);
    sums.addRow(sums.placeOf(row.other), row);
    await breath();
  }
  return found;
}

/** The values of a dimension among the calls with a value of another one. */
export async function valuesTogether(
  tx: MandantTx,
  window: Window,
  where: Filter,
  by: DimensionName,
): Promise<GroupSums> {
  const sources = await readSources(tx, window);
  const sums = new GroupSums();
  const breath = createBreath();
  for (const { liste } of await readLists(tx, sources, sql`ARRAY(${numberOf(tx, where)})`, by)) {
    addList(sums, liste);
    await breath();
  }
  for (const row of await readOpen(tx, sources, { merkmal: by }, { where })) {
    sums.addRow(sums.placeOf(row.merkmal), row);
    await breath();
  }
  return sums;
}

/** The local day of an event, or the instant at which its local hour began. */
function bucketOf({ von }: Window, byHour: boolean): Part {
  if (!byHour) return sql`(e.zeitpunkt AT TIME ZONE ${von.timeZoneId}::text)::date`;
  // Where the clock is half an hour off, hours begin at :30 of those in UTC.
  const shift = sql.lit(((von.offsetNanoseconds / 1e9) % 3_600) + 3_600);
  return sql`to_timestamp(floor((extract(epoch FROM e.zeitpunkt) + ${shift}) / 3600) * 3600 - ${shift})`;
}

/** As `valuesTogether`, by local day (`YYYY-MM-DD`) or hour (ISO 8601 in UTC). Lists are kept by day only. */
export async function bucketsTogether(
  tx: MandantTx,
  window: Window,
  where: Filter,
  by: DimensionName,
  byHour: boolean,
): Promise<Map<string, GroupSums>> {
  const sources = byHour ? await readEvents(tx, window) : await readSources(tx, window);
  const buckets = new Map<string, GroupSums>();
  const sumsOf = (bucket: string) => {
    const known = buckets.get(bucket) ?? new GroupSums();
    buckets.set(bucket, known);
    return known;
  };
  const breath = createBreath();
  for (const { tag, liste } of await readLists(tx, sources, sql`ARRAY(${numberOf(tx, where)})`, by)) {
    addList(sumsOf(tag), liste);
    await breath();
  }
  for (const row of await readOpen(
    tx,
    sources,
    { merkmal: by },
    { where, bucket: bucketOf(window, byHour) },
  )) {
    const sums = sumsOf(row.bucket);
    sums.addRow(sums.placeOf(row.merkmal), row);
    await breath();
  }
  return buckets;
}
