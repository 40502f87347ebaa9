/** What the calls of each local day add up to, as it must be; and as it stands with how often the day changed. */
import { expect } from 'vitest';
import { DAY_FIGURES } from '#domains/verbrauch/index.ts';
import { type CountedCall, figuresOf, keyOf, type Sql, type Table } from './sums-by-dimension.ts';

function dayTotalsOf(calls: CountedCall[]): Table {
  const days = Map.groupBy(calls, ({ row, tag }) => keyOf(row.mandant_id, tag));
  return Object.fromEntries(
    [...days].map(([key, day]) => {
      const figures = figuresOf(day);
      return [key, Object.fromEntries(DAY_FIGURES.map((name) => [name, figures[name] as string]))];
    }),
  );
}

/** Days whose calls were all taken back add up to nothing and are not in it. */
async function readDayTotals(sql: Sql): Promise<Table> {
  const rows = await sql<Record<'mandant_id' | 'tag', string>>(
    `SELECT mandant_id, tag, ${DAY_FIGURES.map((name) => `trim_scale(${name}::numeric)::text AS ${name}`).join(', ')}
     FROM verbrauch_tagesstand`,
  );
  return Object.fromEntries(
    rows
      .map(({ mandant_id, tag, ...figures }): [string, Record<string, string>] => [
        keyOf(mandant_id, tag),
        figures,
      ])
      .filter(([, figures]) => Object.values(figures).some((value) => value !== '0')),
  );
}

/** The days add up to these calls. */
export async function expectDays(sql: Sql, calls: CountedCall[]): Promise<void> {
  expect(await readDayTotals(sql), 'days').toEqual(dayTotalsOf(calls));
}
