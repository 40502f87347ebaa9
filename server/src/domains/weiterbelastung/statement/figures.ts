/** The figures of a statement as its rows: nothing is counted here, but sums are compared with what they must be. */

import { countText, euroText, monthText, percentText } from '#kernel/format.ts';
import { type Cents, centsFrom, centsText, eurFrom, minus, plus, toCents } from '#kernel/money.ts';
import type { Language } from '#kernel/sentence.ts';
import type { Row } from '#platform/pdf/index.ts';
import type { Statement, StatementCorrection, StatementRest, StatementRow } from './model.ts';
import { WORDS, type Word } from './words.ts';

/** A text of the statement with what is put into it. */
export type Say = (word: Word, values?: Record<string, string>) => string;

/** The texts in one language. */
export const sayIn =
  (language: Language): Say =>
  (word, values = {}) =>
    WORDS[word][language].replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '');

/** What is known of some amounts, added up; null where nothing is. */
function sumOf(amounts: readonly (string | null)[]): string | null {
  const known = amounts.filter((amount) => amount !== null).map(centsFrom);
  return known.length === 0 ? null : centsText(known.reduce(plus));
}

const isSame = (sum: string | null, whole: string | null) =>
  sum === null
    ? whole === null || centsFrom(whole) === 0n
    : whole !== null && centsFrom(sum) === centsFrom(whole);

/** Throws RangeError where parts do not make the whole: no bill that contradicts itself leaves the house. */
export function checkSums({
  zeile,
  agenten,
  agenten_rest,
  modelle,
  modelle_rest,
  korrekturen,
  netto_eur,
  umsatzsteuer,
}: Statement): void {
  const amounts = (rows: readonly { betrag_eur: string | null }[], rest: StatementRest | null = null) =>
    sumOf([...rows, ...(rest ? [rest] : [])].map(({ betrag_eur }) => betrag_eur));
  const brutto = umsatzsteuer && sumOf([netto_eur, umsatzsteuer.betrag_eur]);
  const faults = [
    isSame(amounts(agenten, agenten_rest), zeile.betrag_eur) ? null : 'agents',
    isSame(amounts(modelle, modelle_rest), zeile.betrag_eur) ? null : 'models',
    isSame(amounts([zeile, ...korrekturen]), netto_eur) ? null : 'net',
    umsatzsteuer === null || isSame(brutto, umsatzsteuer.brutto_eur) ? null : 'gross',
  ].filter((fault) => fault !== null);
  if (faults.length > 0)
    throw new RangeError(`parts of the statement do not make the whole: ${faults.join(', ')}`);
}

/** The amount with its unit, or that it is unknown. */
export const amountText = (amount: string | null, say: Say, language: Language): string =>
  amount === null ? say('unknown') : euroText(amount, language);

/** What the calls of the month make, with the markup apart where it is shown. */
function ownRows({ aufschlag, zeile, monat, sprache }: Statement, say: Say): [string, string | null][] {
  const month = { monat: monthText(monat, sprache) };
  if (aufschlag === null || zeile.betrag_eur === null) return [[say('callsOf', month), zeile.betrag_eur]];
  const cost = minus(centsFrom(zeile.betrag_eur), centsFrom(aufschlag.betrag_eur));
  const isDiscount = aufschlag.prozent.startsWith('-');
  const percent = { prozent: percentText(aufschlag.prozent.replace('-', ''), sprache) };
  return [
    [say('costOf', month), centsText(cost)],
    [say(isDiscount ? 'discount' : 'markup', percent), aufschlag.betrag_eur],
  ];
}

/** Tax by rate; on how much where there are several. */
function taxRows(
  saetze: readonly { prozent: string; netto_eur: string; betrag_eur: string }[],
  say: Say,
  language: Language,
): [string, string][] {
  return saetze.map(({ prozent, netto_eur, betrag_eur }) => {
    const rate = percentText(prozent, language);
    if (saetze.length === 1) return [say('tax', { prozent: rate }), betrag_eur];
    return [say('taxOn', { prozent: rate, betrag: euroText(netto_eur, language) }), betrag_eur];
  });
}

/** Why something is corrected: what happened to how many calls. */
function reasonsText({ gruende, aufrufe }: StatementCorrection, say: Say, language: Language): string[] {
  const count = Math.abs(aufrufe);
  const calls = (one: Word, many: Word) => say(count === 1 ? one : many, { n: countText(count, language) });
  return gruende.map((grund) => {
    if (grund === 'nachgekommen') return calls('oneLate', 'manyLate');
    return grund === 'zurueckgenommen' ? calls('oneWithdrawn', 'manyWithdrawn') : say('repriced');
  });
}

/** What is corrected and why, what it cost where that is shown, and by which number it is booked. */
function correctionText(correction: StatementCorrection, say: Say, language: Language): string {
  const { monat, referenz, zahler, aufschlag, betrag_eur, belegnummer } = correction;
  const isDiscount = aufschlag?.prozent.startsWith('-');
  const about = [
    ...(referenz === zahler ? [] : [say('ofReference', { wert: referenz })]),
    ...reasonsText(correction, say, language),
    ...(aufschlag && betrag_eur !== null
      ? [
          say(isDiscount ? 'costLess' : 'costWith', {
            betrag: euroText(
              centsText(minus(centsFrom(betrag_eur), centsFrom(aufschlag.betrag_eur))),
              language,
            ),
            prozent: percentText(aufschlag.prozent.replace('-', ''), language),
          }),
        ]
      : []),
    say('voucherIs', { wert: belegnummer }),
  ];
  return `${say('correction', { monat: monthText(monat, language) })}: ${about.join(', ')}`;
}

/** How the amount is made up. */
export function derivation(statement: Statement, say: Say): Row[] {
  const { sprache, korrekturen, netto_eur, umsatzsteuer, nicht_berechnet_eur } = statement;
  const row = (label: string, amount: string | null, kind?: 'sum' | 'remark'): Row => ({
    cells: [label, amountText(amount, say, sprache)],
    ...(kind && { kind }),
  });
  const tax = umsatzsteuer
    ? [
        ...taxRows(umsatzsteuer.saetze, say, sprache).map(([label, amount]) => row(label, amount)),
        row(say('gross'), umsatzsteuer.brutto_eur, 'sum'),
      ]
    : [];
  const isNothing = nicht_berechnet_eur === null || centsFrom(nicht_berechnet_eur) === 0n;
  return [
    ...ownRows(statement, say).map(([label, amount]) => row(label, amount)),
    ...korrekturen.map((each) => row(correctionText(each, say, sprache), each.betrag_eur)),
    row(say(umsatzsteuer ? 'netSum' : 'sum'), netto_eur, 'sum'),
    ...tax,
    ...(isNothing ? [] : [row(say('notCharged'), nicht_berechnet_eur, 'remark')]),
  ];
}

/** The rows of a table, those not shown as one, and their sum. */
export function tableRows(
  shown: readonly StatementRow[],
  rest: StatementRest | null,
  whole: string | null,
  say: Say,
  language: Language,
): Row[] {
  const cells = (name: string, calls: number, tokens: string | null, amount: string | null) => [
    name,
    countText(calls, language),
    tokens === null ? '–' : countText(tokens, language),
    amountText(amount, say, language),
  ];
  const others = rest && { ...rest, name: say('others', { n: countText(rest.gruppen, language) }) };
  const rows = others ? [...shown, others] : shown;
  const calls = rows.reduce((sum, { aufrufe }) => sum + aufrufe, 0);
  const known = rows.flatMap(({ token }) => token ?? []);
  const tokens = known.reduce((sum, token) => sum + BigInt(token), 0n).toString();
  return [
    ...rows.map(({ name, aufrufe, token, betrag_eur }) => ({
      cells: cells(name === '' ? say('unnamed') : name, aufrufe, token, betrag_eur),
    })),
    { cells: cells(say('sum'), calls, known.length === rows.length ? tokens : null, whole), kind: 'sum' },
  ];
}

/** What must be known of the calls that have no price, or only a part of one. */
export function remarks({ zeile, sprache }: Statement, say: Say): string[] {
  const of = (count: number, one: Word, many: Word) =>
    count === 0 ? [] : [say(count === 1 ? one : many, { n: countText(count, sprache) })];
  const unpriced =
    zeile.betrag_eur === null && zeile.aufrufe > 0
      ? [say('nothingPriced')]
      : of(zeile.unbepreist, 'oneUnpriced', 'manyUnpriced');
  return [...unpriced, ...of(zeile.teilbepreist, 'onePartly', 'manyPartly')];
}

/** The days as whole cents. */
export const dayValues = ({ tage }: Statement): { tag: string; value: Cents | null }[] =>
  tage.map(({ tag, betrag_eur }) => ({
    tag,
    value: betrag_eur === null ? null : toCents(eurFrom(betrag_eur)),
  }));
