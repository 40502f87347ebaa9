/**
 * Sums of two dimensions at once: of the days that are condensed from `verbrauch_paar`, of all other times from the events.
 */
import { sql } from 'kysely';
import { DIMENSIONS, type DimensionName, FIGURE_NAMES, type FigureName } from '#contracts';
import { InvalidInput } from '#kernel/errors.ts';
import { toUtc, type Window } from '#kernel/zeitraum.ts';
import type { MandantTx } from '#platform/database/index.ts';
import { EVENT_FIGURES, eventValue, unnested } from '../rollup.ts';
import { dayAfter, wholeDays } from '../window.ts';
import type { ValueSources } from './answer.ts';
import { RANKING } from './figures.ts';
import { type Filter, numberOf, type Part } from './sums.ts';

/** What of a window is read from where. */
export interface Sources {
  /** Local days whose pairs are as counted. */
  condensed: string[];
  /** Times of which only the events tell. */
  open: Window[];
}

interface DayState {
  tag: string;
  condensed: boolean;
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

export async function readSources(tx: MandantTx, window: Window): Promise<Sources> {
  const { days, edges } = wholeDays(window);
  const zone = window.von.timeZoneId;
  const { rows } = await sql<DayState>`
    SELECT tag, verdichtet IS NOT DISTINCT FROM geaendert AS condensed FROM verbrauch_tagesstand
    WHERE mandant_id = ${tx.mandant} AND tag >= ${days.von.toPlainDate().toString()}::date
      AND tag < ${days.bis.toPlainDate().toString()}::date`.execute(tx);
  const openDays = rows.filter(({ condensed }) => !condensed).map(({ tag }) => midnight(tag, zone));
  const open = joined([...edges, ...openDays.map((von) => ({ von, bis: dayAfter(von) }))]);
  await requireKept(tx, open);
  return { condensed: rows.filter(({ condensed }) => condensed).map(({ tag }) => tag), open };
}

async function readEvents(tx: MandantTx, window: Window): Promise<Sources> {
  await requireKept(tx, [window]);
  return { condensed: [], open: [window] };
}

/** Events of the times, SELECT of `keys` and the figures by them. Never empty, so that it can be a part of a statement. */
export function eventsOf(
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

/** The pairs of condensed days as rows: SELECT of `bucket` (the day), `merkmal_id` (of the other dimension) and figures. */
function pairsOf(
  tx: MandantTx,
  days: string[],
  where: Filter,
  by: DimensionName,
  names: readonly FigureName[],
): Part {
  return sql`SELECT bucket, andere AS merkmal_id, ${sql.raw(names.join(', '))} FROM (
      SELECT p.tag AS bucket, ${sql.raw(unnested(names))} FROM verbrauch_paar p
      WHERE p.mandant_id = ${tx.mandant} AND p.merkmal_id = (${numberOf(tx, where)})
        AND p.nach = ${sql.lit(DIMENSIONS[by].number)} AND p.tag = ANY(${days}::date[])) u`;
}

const columnsOf = (names: readonly FigureName[]) => sql.raw(['merkmal_id', ...names].join(', '));

/** The values of a dimension among the calls with a value of another one. */
export async function valuesTogether(
  tx: MandantTx,
  window: Window,
  where: Filter,
  by: DimensionName,
): Promise<Omit<ValueSources, 'total'>> {
  const { condensed, open } = await readSources(tx, window);
  const select = (names: readonly FigureName[]) =>
    sql`SELECT ${columnsOf(names)} FROM (${pairsOf(tx, condensed, where, by, names)}) p
      UNION ALL SELECT ${columnsOf(names)} FROM open_sums`;
  return {
    ctes: [
      sql`open_sums AS MATERIALIZED (
        SELECT m.merkmal_id, o.* FROM (${eventsOf(tx, open, { text: by }, where)}) o JOIN merkmale m USING (text)
        WHERE m.mandant_id = ${tx.mandant} AND m.dimension = ${sql.lit(DIMENSIONS[by].number)})`,
    ],
    ranking: select(RANKING),
    chosen: sql`SELECT ${columnsOf(FIGURE_NAMES)} FROM (${select(FIGURE_NAMES)}) r
      WHERE merkmal_id IN (SELECT merkmal_id FROM chosen)`,
  };
}

/** The local day of an event, or the instant at which its local hour began. */
function bucketOf({ von }: Window, byHour: boolean): Part {
  if (!byHour) return sql`(e.zeitpunkt AT TIME ZONE ${von.timeZoneId}::text)::date`;
  // Where the clock is half an hour off, hours begin at :30 of those in UTC.
  const shift = sql.lit(((von.offsetNanoseconds / 1e9) % 3_600) + 3_600);
  return sql`to_timestamp(floor((extract(epoch FROM e.zeitpunkt) + ${shift}) / 3600) * 3600 - ${shift})`;
}

/** As `valuesTogether`, by local day or hour: SELECT of `bucket`, `merkmal_id` and all figures. Pairs are kept by day only. */
export async function bucketsTogether(
  tx: MandantTx,
  window: Window,
  where: Filter,
  by: DimensionName,
  byHour: boolean,
): Promise<{ ctes: Part[]; rows: Part }> {
  const { condensed, open } = byHour ? await readEvents(tx, window) : await readSources(tx, window);
  const keys = { bucket: bucketOf(window, byHour), text: by };
  const columns = sql.raw(['bucket', 'merkmal_id', ...FIGURE_NAMES].join(', '));
  const fromPairs = byHour
    ? sql``
    : sql`SELECT ${columns} FROM (${pairsOf(tx, condensed, where, by, FIGURE_NAMES)}) p UNION ALL`;
  return {
    ctes: [
      sql`open_sums AS MATERIALIZED (
        SELECT m.merkmal_id, o.* FROM (${eventsOf(tx, open, keys, where)}) o JOIN merkmale m USING (text)
        WHERE m.mandant_id = ${tx.mandant} AND m.dimension = ${sql.lit(DIMENSIONS[by].number)})`,
    ],
    rows: sql`${fromPairs} SELECT ${columns} FROM open_sums`,
  };
}
