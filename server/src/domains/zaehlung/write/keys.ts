/** Sums by API key. */
import { isoOf } from '#kernel/microseconds.ts';
import { EUR_SCALE, textOf, USD_SCALE } from '#kernel/money.ts';
import type { KeyTotal } from '../key-sums.ts';
import { type Column, insert, rowsOf, type Statement, sumUp } from './statement.ts';
import type { Written } from './written.ts';

const SUMS: Column<KeyTotal>[] = [
  ['aufrufe', 'bigint', (total) => total.aufrufe],
  ['unbepreist', 'bigint', (total) => total.unbepreist],
  ['token', 'numeric', (total) => total.token],
  ['kosten_usd', 'numeric', (total) => textOf(total.usd, USD_SCALE)],
  ['kosten_eur', 'numeric', (total) => textOf(total.eur, EUR_SCALE)],
  ['ohne_lauf', 'bigint', (total) => total.ohneLauf],
  ['ohne_fingerabdruck', 'bigint', (total) => total.ohneFingerabdruck],
  ['ohne_endkunde', 'bigint', (total) => total.ohneEndkunde],
  ['adresse_als_anbieter', 'bigint', (total) => total.adresseAlsAnbieter],
];

/** Adds to the sums of keys, of calls that are new or that were counted before. */
export function addKeySums(statement: Statement, parts: Written[]): void {
  const sets = sumUp(
    'v',
    SUMS.map(([name]) => name),
  );
  insert(
    statement,
    'verbrauch_schluessel',
    [
      ['schluessel_id', 'uuid', (total) => total.schluessel],
      ['stunde', 'timestamptz', (total) => total.stunde],
      ...SUMS,
      ['letzter_aufruf_am', 'timestamptz', (total) => isoOf(total.letzterAufruf)],
    ],
    rowsOf(parts, ({ keys }) => keys.totals()),
    `(mandant_id, schluessel_id, stunde) DO UPDATE SET ${sets.join(', ')},
      letzter_aufruf_am = greatest(v.letzter_aufruf_am, excluded.letzter_aufruf_am)`,
  );
}
