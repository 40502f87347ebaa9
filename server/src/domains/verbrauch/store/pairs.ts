/**
 * Sums of two dimensions at once: of the days that are condensed from `verbrauch_paar`, of all other times from the events.
 */
import { sql } from 'kysely';
import { DIMENSIONS, type DimensionName, FIGURE_NAMES, type FigureName } from '#contracts';
import { type Fenster, toUtc } from '#kernel/zeitraum.ts';
import type { MandantTx } from '#platform/database/index.ts';
import { EVENT_FIGURES, eventValue } from '../rollup.ts';
import { dayAfter, wholeDays } from '../window.ts';
import type { Werte } from './answer.ts';
import { RANKING } from './figures.ts';
import { type Filter, numberOf, type Part } from './sums.ts';

/** What of a window is read from where. */
export interface Quellen {
  /** Local days whose pairs are as counted. */
  verdichtet: string[];
  /** Times of which only the events tell. */
  offen: Fenster[];
}

interface DayState {
  tag: string;
  verdichtet: boolean;
}

const midnight = (tag: string, zone: string) => Temporal.PlainDate.from(tag).toZonedDateTime(zone);

/** Neighbouring windows as one. */
function joined(windows: Fenster[]): Fenster[] {
  const result: Fenster[] = [];
  for (const window of windows.toSorted((a, b) => Temporal.ZonedDateTime.compare(a.von, b.von))) {
    const last = result.at(-1);
    if (last?.bis.equals(window.von)) last.bis = window.bis;
    else result.push({ ...window });
  }
  return result;
}

export async function readQuellen(tx: MandantTx, window: Fenster): Promise<Quellen> {
  const { tage, raender } = wholeDays(window);
  const zone = window.von.timeZoneId;
  const { rows } = await sql<DayState>`
    SELECT tag, verdichtet IS NOT DISTINCT FROM geaendert AS verdichtet FROM verbrauch_tagesstand
    WHERE mandant_id = ${tx.mandant} AND tag >= ${tage.von.toPlainDate().toString()}::date
      AND tag < ${tage.bis.toPlainDate().toString()}::date`.execute(tx);
  const open = rows.filter(({ verdichtet }) => !verdichtet).map(({ tag }) => midnight(tag, zone));
  return {
    verdichtet: rows.filter(({ verdichtet }) => verdichtet).map(({ tag }) => tag),
    offen: joined([...raender, ...open.map((von) => ({ von, bis: dayAfter(von) }))]),
  };
}

/** Events of the times, SELECT of `keys` and the figures by them. Never empty, so that it can be a part of a statement. */
export function eventsOf(
  tx: MandantTx,
  windows: Fenster[],
  keys: Record<string, DimensionName>,
  where?: Filter,
): Part {
  const times = windows.map(
    ({ von, bis }) =>
      sql`(e.zeitpunkt >= ${toUtc(von)}::timestamptz AND e.zeitpunkt < ${toUtc(bis)}::timestamptz)`,
  );
  const names = Object.entries(keys);
  const columns = sql.raw(names.map(([name, dimension]) => `${eventValue(dimension)} AS ${name}`).join(', '));
  const filter = where ? sql`AND ${sql.raw(eventValue(where.dimension))} = ${where.wert}` : sql``;
  return sql`SELECT ${columns}, ${sql.raw(EVENT_FIGURES)} FROM ereignisse e
    WHERE e.mandant_id = ${tx.mandant} AND (${times.length > 0 ? sql.join(times, sql` OR `) : sql`false`}) ${filter}
    GROUP BY ${sql.raw(names.map((_, index) => `${index + 1}`).join(', '))}`;
}

/** The pairs of condensed days as rows: SELECT of `merkmal_id` (of the other dimension) and figures. */
function pairsOf(
  tx: MandantTx,
  tage: string[],
  where: Filter,
  by: DimensionName,
  names: readonly FigureName[],
): Part {
  const arrays = sql.raw(['andere', ...names].map((name) => `p.${name}`).join(', '));
  const columns = sql.raw(['merkmal_id', ...names].join(', '));
  return sql`SELECT u.* FROM verbrauch_paar p CROSS JOIN LATERAL unnest(${arrays}) AS u (${columns})
    WHERE p.mandant_id = ${tx.mandant} AND p.merkmal_id = (${numberOf(tx, where)})
      AND p.nach = ${sql.lit(DIMENSIONS[by].number)} AND p.tag = ANY(${tage}::date[])`;
}

const columnsOf = (names: readonly FigureName[]) => sql.raw(['merkmal_id', ...names].join(', '));

/** The values of a dimension among the calls with a value of another one. */
export async function valuesTogether(
  tx: MandantTx,
  window: Fenster,
  where: Filter,
  by: DimensionName,
): Promise<Omit<Werte, 'total'>> {
  const { verdichtet, offen } = await readQuellen(tx, window);
  const select = (names: readonly FigureName[]) =>
    sql`${pairsOf(tx, verdichtet, where, by, names)} UNION ALL SELECT ${columnsOf(names)} FROM offen`;
  return {
    ctes: [
      sql`offen AS MATERIALIZED (
        SELECT m.merkmal_id, o.* FROM (${eventsOf(tx, offen, { text: by }, where)}) o JOIN merkmale m USING (text)
        WHERE m.mandant_id = ${tx.mandant} AND m.dimension = ${sql.lit(DIMENSIONS[by].number)})`,
    ],
    ranking: select(RANKING),
    chosen: sql`SELECT ${columnsOf(FIGURE_NAMES)} FROM (${select(FIGURE_NAMES)}) r
      WHERE merkmal_id IN (SELECT merkmal_id FROM gewaehlt)`,
  };
}
