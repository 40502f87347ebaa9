/** Running sums, local days with what they add up to, and rates that were used. */
import { setImmediate } from 'node:timers/promises';
import { DAY_FIGURES, GRAINS, type Grain, SUM_COLUMNS } from '#domains/verbrauch/index.ts';
import { EUR_SCALE, textOf, USD_SCALE } from '#kernel/money.ts';
import { type NumberedGrid, sumColumns } from '../sums/columns.ts';
import { arrayText, insert, rowsOf, type Statement, sideBySide, sumUp } from './statement.ts';
import type { Written } from './written.ts';

function addSums(statement: Statement, grain: Grain, parts: NumberedGrid[]): void {
  const { table, column } = GRAINS[grain];
  const { periods, columns } = sumColumns(parts);
  const times = statement.place(arrayText(periods));
  const arrays = columns.map(({ type, array }) => `${statement.place(array)}::${type}[]`);
  const names = SUM_COLUMNS.map(({ name }) => name);
  statement.part(`INSERT INTO ${table} AS v (mandant_id, dimension, ${column}, merkmal_id, ${names.join(', ')})
    SELECT ${statement.inserted}, n.d, (${times}::timestamptz[])[n.z], n.k, ${names.map((name) => `n.${name}`).join(', ')}
    FROM ${statement.from(sideBySide(arrays, ['m', 'd', 'z', 'k', ...names]))}
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
      ['ersatz_aufrufe', 'bigint', (use) => use.ersatzAufrufe],
      ['ersatz_tag', 'date', (use) => use.ersatzTag],
    ],
    rowsOf(parts, ({ sums }) => sums.rates()),
    `(mandant_id, stunde, kurs_usd_eur) DO UPDATE SET ${sumUp('v', ['aufrufe', 'kosten_usd', 'ersatz_aufrufe']).join(', ')},
      ersatz_tag = coalesce(excluded.ersatz_tag, v.ersatz_tag)`,
  );
}

/** Between the grains the thread turns to whatever else waits for it: other turns among it. */
async function addRunningSums(statement: Statement, parts: Written[]): Promise<void> {
  for (const grain of Object.keys(GRAINS) as Grain[]) {
    await setImmediate();
    addSums(
      statement,
      grain,
      parts.map(({ sums, resolved }, index) => ({
        mandant: index + 1,
        grid: sums.grids()[grain],
        dimensions: sums.values.dimensions,
        ids: resolved.ids,
      })),
    );
  }
}

/** Adds to running sums, local days and rates. */
export async function addConsumption(statement: Statement, parts: Written[]): Promise<void> {
  await addRunningSums(statement, parts);
  insert(
    statement,
    'verbrauch_tagesstand',
    [
      ['tag', 'date', (row) => row.tag],
      ['geaendert', 'bigint', () => 1],
      ['aufrufe', 'bigint', (row) => row.aufrufe],
      ['unbepreist', 'bigint', (row) => row.unbepreist],
      ['kosten_eur', 'numeric', (row) => textOf(row.eur, EUR_SCALE)],
    ],
    rowsOf(parts, ({ sums }) => sums.dayTotals()),
    `(mandant_id, tag) DO UPDATE SET geaendert = v.geaendert + 1,
      ${sumUp('v', DAY_FIGURES).join(', ')}`,
  );
  addRates(statement, parts);
}
