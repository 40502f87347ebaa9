/**
 * What the many values of a dimension are put in order by: of what is listed from `verbrauch_rangliste`, of all other times from rows.
 */
import { sql } from 'kysely';
import { DIMENSIONS, type DimensionName, FIGURES, type FigureName } from '#contracts';
import type { Window } from '#kernel/zeitraum.ts';
import type { MandantTx } from '#platform/database/index.ts';
import { createBreath } from '../lists/breath.ts';
import { GroupSums } from '../lists/group-sums.ts';
import { OpenList } from '../lists/list.ts';
import type { Opened, OpenedLists } from '../lists/opened-lists.ts';
import { RANKING } from '../rollup.ts';
import { AS_TEXT, SUMS, type SumsRow } from './figures.ts';
import type { Part } from './sums.ts';

/** A time with a list: its first local day (`YYYY-MM-DD`) and how many, or none and up to when (ISO 8601 in UTC) it goes. */
interface ListedTime {
  tag: string;
  tage: number;
  teile_bis: string | null;
  /** At which state of its days the list was made. */
  stand: string;
}

/** What of a window is listed, in order, and the times around it. */
export interface Listed {
  times: ListedTime[];
  around: Window[];
}

/** Each time around lists is a part of the statement that reads it. */
const MOST_AROUND = 6;

function windowOf({ tag, tage, teile_bis }: ListedTime, zone: string): Window {
  const first = Temporal.PlainDate.from(tag);
  const bis = teile_bis
    ? Temporal.Instant.from(teile_bis).toZonedDateTimeISO(zone)
    : first.add({ days: tage }).toZonedDateTime(zone);
  return { von: first.toZonedDateTime(zone), bis };
}

function aroundOf({ von, bis }: Window, times: ListedTime[]): Window[] {
  const listed = times.map((time) => windowOf(time, von.timeZoneId));
  const starts = [von, ...listed.map((time) => time.bis)];
  return [...listed.map((time) => time.von), bis]
    .map((end, index) => ({ von: starts[index] as Temporal.ZonedDateTime, bis: end }))
    .filter((time) => Temporal.ZonedDateTime.compare(time.von, time.bis) < 0);
}

/**
 * The lists of a dimension that hold as their days are now, one for each time: a week's in place of its days'. Null where there are
 * none, or too few to be worth it.
 */
export async function readListed(tx: MandantTx, window: Window, by: DimensionName): Promise<Listed | null> {
  const { von, bis } = window;
  const first = von.startOfDay().equals(von) ? von.toPlainDate() : von.toPlainDate().add({ days: 1 });
  const last = bis.toPlainDate().toString();
  const own = sql`w.mandant_id = ${tx.mandant} AND w.dimension = ${sql.lit(DIMENSIONS[by].number)}
    AND w.tag >= ${first.toString()}::date`;
  const { rows: times } = await sql<ListedTime>`
    WITH tage AS (
      SELECT w.tag, w.tage, w.stand FROM verbrauch_rangliste w WHERE ${own} AND w.tage > 0 AND w.tag + w.tage <= ${last}::date
        AND w.stand = (SELECT sum(t.geaendert) FROM verbrauch_tagesstand t
          WHERE t.mandant_id = ${tx.mandant} AND t.tag >= w.tag AND t.tag < w.tag + w.tage))
    SELECT g.tag, g.tage, NULL AS teile_bis, g.stand::text FROM tage g
    WHERE NOT EXISTS (SELECT FROM tage w WHERE w.tage > g.tage AND w.tag <= g.tag AND g.tag < w.tag + w.tage)
    UNION ALL
    SELECT w.tag, w.tage, to_char(t.teile_bis AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'), w.stand::text
    FROM verbrauch_rangliste w JOIN verbrauch_tagesstand t ON t.mandant_id = ${tx.mandant} AND t.tag = w.tag
    WHERE ${own} AND w.tage = 0 AND w.tag <= ${last}::date AND w.stand = t.teile_stand
      AND t.teile_stand = t.geaendert - t.danach_geaendert AND t.teile_bis <= ${bis.toInstant().toString()}::timestamptz
    ORDER BY 1`.execute(tx);
  const around = aroundOf(window, times);
  return times.length > 0 && around.length <= MOST_AROUND ? { times, around } : null;
}

/** A condition on calls that are kept one by one: that they are in none of the lists. */
export function notIn(times: ListedTime[]): Part {
  const listed = times.map(({ tag, tage, teile_bis }) =>
    teile_bis
      ? sql`(tag = ${tag}::date AND stunde < ${teile_bis}::timestamptz)`
      : sql`(tag >= ${tag}::date AND tag < ${tag}::date + ${tage}::int)`,
  );
  return sql`NOT (${sql.join(listed, sql` OR `)})`;
}

async function readLists(tx: MandantTx, times: ListedTime[], by: DimensionName): Promise<Buffer[]> {
  const { rows } = await sql<{ liste: Buffer }>`
    SELECT w.liste FROM unnest(${times.map(({ tag }) => tag)}::date[], ${times.map(({ tage }) => tage)}::smallint[]) AS n (tag, tage)
    JOIN verbrauch_rangliste w ON w.tag = n.tag AND w.tage = n.tage
    WHERE w.mandant_id = ${tx.mandant} AND w.dimension = ${sql.lit(DIMENSIONS[by].number)}`.execute(tx);
  return rows.map(({ liste }) => liste);
}

const textOf = (name: FigureName) =>
  FIGURES[name].kind === 'count' ? `${name}::text` : `trim_scale(${name})::text`;

/** Adds rows of `merkmal_id` and the figures of the order, which arrive as one text for each column: there may be tens of thousands. */
async function addRows(tx: MandantTx, sums: GroupSums, rows: Part): Promise<void> {
  const columns = RANKING.map((name) => `string_agg(${textOf(name)}, ',') AS ${name}`);
  const { rows: found } = await sql<Record<string, string | null>>`
    SELECT string_agg(merkmal_id::text, ',') AS merkmal_id, ${sql.raw(columns.join(', '))} FROM (${rows}) r`.execute(
    tx,
  );
  const allOf = (name: string) => found[0]?.[name]?.split(',') ?? [];
  const places = allOf('merkmal_id').map((merkmal) => sums.placeOf(Number(merkmal)));
  for (const name of RANKING)
    for (const [index, text] of allOf(name).entries()) sums.addText(places[index] as number, name, text);
}

async function openLists(tx: MandantTx, by: DimensionName, times: ListedTime[]): Promise<Opened> {
  const sums = new GroupSums();
  const lists: OpenList[] = [];
  const breath = createBreath();
  for (const liste of await readLists(tx, times, by)) {
    const list = OpenList.of(liste);
    list.addTo(sums, RANKING);
    lists.push(list);
    await breath();
  }
  return { lists, sums };
}

/** The lists of a dimension, and the sums of what its values are put in order by: from them, and from rows of the times around them. */
export async function readOrder(
  tx: MandantTx,
  by: DimensionName,
  times: ListedTime[],
  rowsAround: Part,
  remembered: OpenedLists,
): Promise<Opened> {
  const names = times.map(({ tag, tage, teile_bis, stand }) => [tag, tage, teile_bis, stand].join());
  const key = [tx.mandant, by, ...names].join(' ');
  const { lists, sums: listed } = await remembered.of(key, () => openLists(tx, by, times));
  const sums = new GroupSums(listed);
  await addRows(tx, sums, rowsAround);
  return { sums, lists };
}

/** All figures of some values: from the lists, and from rows of the times around them by `merkmal_id`. */
export async function readFigures(
  tx: MandantTx,
  lists: readonly OpenList[],
  merkmale: number[],
  rowsAround: Part,
): Promise<GroupSums> {
  const sums = new GroupSums();
  for (const merkmal of merkmale) sums.placeOf(merkmal);
  for (const list of lists) list.within(sums).addTo(sums);
  const { rows } = await sql<SumsRow & { merkmal_id: number }>`
    SELECT merkmal_id, ${AS_TEXT} FROM (SELECT merkmal_id, ${SUMS} FROM (${rowsAround}) r GROUP BY merkmal_id) s`.execute(
    tx,
  );
  for (const { merkmal_id, ...row } of rows) sums.addRow(sums.placeOf(merkmal_id), row);
  return sums;
}
