/** Sums by API key. */
import { isoOf } from '#kernel/microseconds.ts';
import { EUR_SCALE, textOf, USD_SCALE } from '#kernel/money.ts';
import type { KeyTotal } from '../key-sums.ts';
import { type Column, insert, rowsOf, type Statement, sumUp, unnest } from './statement.ts';
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

const SOURCE: Column<KeyTotal>[] = [
  ['schluessel_id', 'uuid', ({ schluessel }) => schluessel],
  ['tag', 'date', ({ tag }) => tag],
  ['quelle', 'text', ({ herkunft }) => herkunft.quelle],
  ['bibliothek', 'text', ({ herkunft }) => herkunft.bibliothek],
  ['version', 'text', ({ herkunft }) => herkunft.version],
];
const SOURCE_SUMS: Column<KeyTotal>[] = [
  ['aufrufe', 'bigint', (total) => total.aufrufe],
  ['unbepreist', 'bigint', (total) => total.unbepreist],
  ['kosten_eur', 'numeric', (total) => textOf(total.eur, EUR_SCALE)],
  ['ohne_lauf', 'bigint', (total) => total.ohneLauf],
  ['ohne_agent', 'bigint', (total) => total.ohneAgent],
  ['ohne_endkunde', 'bigint', (total) => total.ohneEndkunde],
  ['ohne_fingerabdruck', 'bigint', (total) => total.ohneFingerabdruck],
  ['ohne_cache', 'bigint', (total) => total.ohneCache],
  ['ohne_token', 'bigint', (total) => total.ohneToken],
  ['abo_aufrufe', 'bigint', (total) => total.abo],
  ['abo_kosten_eur', 'numeric', (total) => textOf(total.aboEur, EUR_SCALE)],
];
const namesOf = (columns: Column<KeyTotal>[]) => columns.map(([name]) => name);

/** Adds newly counted calls to the sums of what told of them. */
export function addSources(statement: Statement, parts: Written[]): void {
  insert(
    statement,
    'verbrauch_quellen',
    [...SOURCE, ...SOURCE_SUMS, ['letzter_aufruf_am', 'timestamptz', (total) => isoOf(total.letzterAufruf)]],
    rowsOf(parts, ({ sources }) => sources.totals),
    `(mandant_id, ${namesOf(SOURCE).join(', ')}) DO UPDATE SET ${sumUp('v', namesOf(SOURCE_SUMS)).join(', ')},
      letzter_aufruf_am = greatest(v.letzter_aufruf_am, excluded.letzter_aufruf_am)`,
  );
}

/** Changes them with calls that were counted before. Where there is no row, those are of before there were any, or too long ago. */
export function changeSources(statement: Statement, parts: Written[]): void {
  const rows = rowsOf(parts, ({ sources }) => sources.totals);
  const sets = namesOf(SOURCE_SUMS).map((name) => `${name} = v.${name} + n.${name}`);
  const same = namesOf(SOURCE).map((name) => `v.${name} = n.${name}`);
  statement.part(`UPDATE verbrauch_quellen v SET ${sets.join(', ')}
    FROM ${unnest(statement, [...SOURCE, ...SOURCE_SUMS], rows)}
    WHERE v.mandant_id = ${statement.mandant} AND ${same.join(' AND ')}`);
}
