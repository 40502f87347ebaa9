/** Sums, days that changed, and rates that were used. */
import { GRAINS, type Grain, sumColumnsOf } from '#domains/verbrauch/index.ts';
import { textOf, USD_SCALE } from '#kernel/money.ts';
import { type NumberedGrid, sumColumns } from '../sums/columns.ts';
import { arrayText, insert, MANDANT, rowsOf, type Statement, sumUp } from './statement.ts';
import type { Written } from './written.ts';

function addSums(statement: Statement, grain: Grain, parts: NumberedGrid[]): void {
  const { table, column, type } = GRAINS[grain];
  const { periods, columns } = sumColumns(grain, parts);
  const times = statement.place(arrayText(periods));
  const arrays = columns.map(({ type, array }) => `${statement.place(array)}::${type}[]`);
  const names = sumColumnsOf(grain).map(({ name }) => name);
  const addends = names.join(', ');
  statement.part(`INSERT INTO ${table} AS v (mandant_id, dimension, ${column}, merkmal_id, ${addends})
    SELECT ${MANDANT}, n.d, (${times}::${type}[])[n.z], n.k, ${names.map((name) => `n.${name}`).join(', ')}
    FROM unnest(${arrays.join(', ')}) AS n (m, d, z, k, ${addends})
    ON CONFLICT (mandant_id, dimension, ${column}, merkmal_id) DO UPDATE SET ${sumUp('v', names).join(', ')}`);
}

function addRates(statement: Statement, parts: Written[]): void {
  insert(
    statement,
    'verbrauch_kurs',
    [
      ['stunde', 'timestamptz', (use) => use.stunde],
      ['kurs_usd_eur', 'numeric', (use) => use.kurs],
      ['aufrufe', 'bigint', (use) => use.aufrufe],
      ['kosten_usd', 'numeric', (use) => textOf(use.usd, USD_SCALE)],
    ],
    rowsOf(parts, ({ sums }) => sums.rates()),
    `(mandant_id, stunde, kurs_usd_eur) DO UPDATE SET ${sumUp('v', ['aufrufe', 'kosten_usd']).join(', ')}`,
  );
}

/** Adds to the sums of every grain. */
export function addConsumption(statement: Statement, parts: Written[]): void {
  const grids = parts.map(({ sums }) => sums.grids());
  for (const grain of Object.keys(GRAINS) as Grain[])
    addSums(
      statement,
      grain,
      parts.map(({ sums, resolved }, index) => ({
        mandant: index + 1,
        grid: grids[index]?.[grain] as NumberedGrid['grid'],
        dimensions: sums.values.dimensions,
        ids: resolved.ids,
      })),
    );
  insert(
    statement,
    'verbrauch_tagesstand',
    [
      ['tag', 'date', (row) => row.tag],
      ['geaendert', 'bigint', () => 1],
    ],
    rowsOf(
      grids.map(({ tag }) => tag),
      ({ periods }) => periods.map((tag) => ({ tag })),
    ),
    '(mandant_id, tag) DO UPDATE SET geaendert = v.geaendert + 1, geaendert_am = now()',
  );
  addRates(statement, parts);
}
