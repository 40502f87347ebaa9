/** The statement of one end customer for a month: its figures, and what stands behind them. */
import { readAgentsOf } from '#domains/katalog/index.ts';
import { type Cents, eurFrom, toCents } from '#kernel/money.ts';
import type { MandantTx } from '#platform/database/index.ts';
import { customerMissing } from '../errors.ts';
import { grossOf, twoDecimals } from '../gross.ts';
import type { Line } from '../line.ts';
import { daysOf } from '../month.ts';
import { asCharged, centsOf, chargeOf, NOTHING, partsOf, type Terms, usageLine } from '../rules.ts';
import type {
  CorrectionReason,
  Statement,
  StatementLine,
  StatementRest,
  StatementRow,
} from '../statement/model.ts';
import type { EndkundeRow } from '../store/endkunden.ts';
import { voucherOf } from '../voucher.ts';
import { type Bill, billOfOne, termsOf } from './bill.ts';
import { toCustomer } from './customers.ts';
import type { Moment } from './moment.ts';
import { type ListedShares, postenBehind, type SharesBehind, type StatementShare } from './posten-behind.ts';

/** What a statement says, without its sender. */
export type Figures = Omit<Statement, 'absender' | 'erstellt_am' | 'sprache'> & { status: Bill['status'] };

/** StatementTable, and what is in none of them; together they make the charge of the line. */
interface StatementTable {
  rows: StatementRow[];
  rest: StatementRest | null;
}

/** By what is charged, as the table shows it; what is unknown last. */
function dearestFirst(a: StatementRow, b: StatementRow): number {
  const [first, second] = [a, b].map(({ betrag_eur }) => centsOf(betrag_eur ?? '-1.00'));
  return first === second ? 0 : (first as bigint) > (second as bigint) ? -1 : 1;
}

function rowsOf(
  { parts, rest }: ListedShares,
  line: Line,
  terms: Terms,
  names = new Map<string, string>(),
): StatementTable {
  const amounts = partsOf(rest ? [...parts, rest] : parts, line, terms);
  const figures = (
    { aufrufe, token }: Pick<StatementShare, 'aufrufe' | 'token'>,
    betrag_eur: string | null = null,
  ) => ({
    aufrufe,
    token: token === null ? null : token.toString(),
    betrag_eur,
  });
  return {
    rows: parts
      .map((part, index) => ({
        schluessel: part.schluessel,
        name: part.name ?? names.get(part.schluessel) ?? part.schluessel,
        ...figures(part, amounts[index]),
      }))
      .sort(dearestFirst),
    rest: rest && { gruppen: rest.gruppen, ...figures(rest, amounts.at(-1)) },
  };
}

function tageOf(parts: StatementShare[], bill: Bill, line: Line): Statement['tage'] {
  const byDay = new Map(parts.map((part) => [part.schluessel, part]));
  const days = daysOf(bill.monat).map((tag) => byDay.get(tag) ?? { ...NOTHING, schluessel: tag });
  const amounts = partsOf(days, line, bill.terms);
  return days.map(({ schluessel, aufrufe }, index) => ({
    tag: schluessel,
    aufrufe,
    betrag_eur: amounts[index] ?? null,
  }));
}

/** The markup in the charge of the line: the charge less the cost, so that both add up. */
function aufschlagOf(line: Line, { aufschlag_ausweisen }: Terms): Statement['aufschlag'] {
  if (!aufschlag_ausweisen || line.betrag_eur === null) return null;
  const cost = chargeOfCost(line.abrechenbar_eur);
  const betrag_eur = twoDecimals((centsOf(line.betrag_eur) - cost) as Cents);
  return { prozent: line.aufschlag_prozent, betrag_eur };
}

/** A cost to the cent, as a line without a markup charges it. */
const chargeOfCost = (kosten: string | null): bigint => toCents(eurFrom(kosten ?? '0'));

const sumOf = (texts: string[]) => texts.reduce((total, text) => total + centsOf(text), 0n);

/** Tax of each line by itself, as it is booked, by rate; null where no tax is set or the charge is unknown. */
function taxOf(lines: Line[], percentOf: (line: Line) => string | null): Statement['umsatzsteuer'] {
  const charged = lines.filter(({ betrag_eur }) => betrag_eur !== null);
  // Nothing is taxed at a rate by which nothing is charged, unless nothing is charged at all.
  const due = charged.filter(({ betrag_eur }) => betrag_eur !== '0.00');
  const byRate = Map.groupBy(due.length > 0 ? due : charged, percentOf);
  byRate.delete(null);
  const saetze = [...byRate].flatMap(([prozent, of]) => {
    if (prozent === null) return [];
    const netto = sumOf(of.map(({ betrag_eur }) => betrag_eur as string));
    const brutto = sumOf(of.map(({ betrag_eur }) => twoDecimals(grossOf(betrag_eur as string, prozent))));
    const betrag_eur = twoDecimals((brutto - netto) as Cents);
    return [{ prozent, netto_eur: twoDecimals(netto as Cents), betrag_eur }];
  });
  const [first] = saetze;
  if (!first) return null;
  const steuer = sumOf(saetze.map(({ betrag_eur }) => betrag_eur));
  const netto = sumOf(charged.map(({ betrag_eur }) => betrag_eur as string));
  return {
    prozent: first.prozent,
    betrag_eur: twoDecimals(steuer as Cents),
    brutto_eur: twoDecimals((netto + steuer) as Cents),
    saetze,
  };
}

/** Why there is a correction, as far as counts tell. */
function gruendeOf({ aufrufe, unbepreist }: Line): CorrectionReason[] {
  const late: CorrectionReason[] = aufrufe > 0 ? ['nachgekommen'] : aufrufe < 0 ? ['zurueckgenommen'] : [];
  return aufrufe === 0 || unbepreist < 0 ? [...late, 'neu_bepreist'] : late;
}

/** Names of those agents that were not stored with theirs. */
async function namesOf(tx: MandantTx, parts: StatementShare[]): Promise<Map<string, string>> {
  const unnamed = parts.flatMap(({ schluessel, name }) => (name === undefined ? schluessel : []));
  const agents = unnamed.length > 0 ? await readAgentsOf(tx, unnamed) : [];
  return new Map(agents.map(({ schluessel, name }) => [schluessel, name]));
}

/** Whose statement it is, with what they are charged. */
export interface StatementOwner {
  row: EndkundeRow;
  line: StatementLine;
  corrections: Line[];
}

/** Of whom has nothing but corrections: by what these have of them, before the month is closed as after it, when nothing else was kept. */
function nothingUsed({ monat, terms }: Bill, row: EndkundeRow, corrections: readonly Line[]): Line {
  const kept = corrections.at(-1);
  return usageLine(monat, { ...toCustomer(row), ...(kept && asCharged(kept)) }, NOTHING, terms);
}

/** The end customer a reference counts for in the month: as billed where it is closed. Throws 404. */
export function ownerOf(bill: Bill, asked: string): StatementOwner {
  const { all } = bill.customers;
  // By the id, too: some references, such as `..`, are in no address.
  const own =
    all.find((row) => row.referenz === asked) ?? all.find(({ endkunde_id }) => endkunde_id === asked);
  if (!own) throw customerMissing();
  const { referenz } = own;
  const isBilled = [...bill.lines, ...bill.corrections].some((line) => line.zahler === referenz);
  const row = bill.closed && isBilled ? own : (bill.customers.charged(referenz) ?? own);
  const corrections = bill.corrections.filter((each) => each.zahler === row.referenz);
  const line = bill.lines.find((each) => each.zahler === row.referenz) ?? nothingUsed(bill, row, corrections);
  return { row, line: { ...line, belegnummer: voucherOf(bill.monat, line) }, corrections };
}

/** What is charged by the line and the corrections together. */
export const netOf = ({ line, corrections }: Pick<StatementOwner, 'line' | 'corrections'>): string | null =>
  chargeOf([line, ...corrections]);

/** The figures of a statement out of the month's bill, and of what stands behind the line where that is known already. */
export async function statementOf(
  moment: Moment,
  bill: Bill,
  owner: StatementOwner,
  known?: SharesBehind,
): Promise<Figures> {
  const { row, line, corrections } = owner;
  const parts = known ?? (await postenBehind(moment, bill, row, line));
  const agenten = rowsOf(parts.agenten, line, bill.terms, await namesOf(moment.tx, parts.agenten.parts));
  const modelle = rowsOf(parts.modelle, line, bill.terms);
  const { terms, monat } = bill;
  const korrekturen = corrections.map((each) => ({
    ...each,
    belegnummer: voucherOf(monat, each),
    gruende: gruendeOf(each),
    aufschlag: aufschlagOf(each, termsOf(bill, each)),
  }));
  return {
    monat,
    status: bill.status,
    geschlossen_am: bill.closed?.geschlossen_am ?? null,
    zeile: line,
    aufschlag: aufschlagOf(line, terms),
    nicht_berechnet_eur: terms.verbranntes_berechnen
      ? null
      : twoDecimals(chargeOfCost(line.verbranntes_geld_eur) as Cents),
    agenten: agenten.rows,
    agenten_rest: agenten.rest,
    modelle: modelle.rows,
    modelle_rest: modelle.rest,
    tage: tageOf(parts.tage.parts, bill, line),
    korrekturen,
    netto_eur: netOf(owner),
    umsatzsteuer: taxOf([line, ...corrections], (each) => termsOf(bill, each).steuersatz_prozent),
  };
}

/** The figures of one end customer, by reference or id. Throws 404 where the Mandant has no such end customer. */
export async function readStatement(moment: Moment, monat: string, asked: string): Promise<Figures> {
  const bill = await billOfOne(moment, monat, asked);
  return statementOf(moment, bill, ownerOf(bill, asked));
}
