/** The statement of one end customer for a month: its figures, and what stands behind them. */
import { readAgentsOf } from '#domains/katalog/index.ts';
import { consumption } from '#domains/verbrauch/index.ts';
import { type Cents, eurFrom, toCents } from '#kernel/money.ts';
import type { MandantTx } from '#platform/database/index.ts';
import { customerMissing } from '../errors.ts';
import { grossOf, twoDecimals } from '../gross.ts';
import type { Line } from '../line.ts';
import { daysOf } from '../month.ts';
import {
  centsOf,
  chargeOf,
  NOTHING,
  partsOf,
  type Terms,
  together,
  type Usage,
  usageLine,
} from '../rules.ts';
import type { Statement, StatementRow } from '../statement/model.ts';
import type { EndkundeRow } from '../store/endkunden.ts';
import { readParts, type Part as StoredPart } from '../store/months.ts';
import { type Bill, billOf, type Moment, toUsage } from './bill.ts';
import { toCustomer } from './customers.ts';

/** What a statement says, whoever sends it. */
export type Figures = Omit<Statement, 'absender' | 'erstellt_am' | 'sprache'> & { status: Bill['status'] };

/** A part of what was used, by its key. */
type Part = Usage & { schluessel: string; token: bigint };
type Group = 'agent' | 'modell' | 'tag';
const GROUPS = { agenten: 'agent', modelle: 'modell', tage: 'tag' } as const;
type Parts = Record<keyof typeof GROUPS, Part[]>;

function merged(parts: Part[]): Part[] {
  const byKey = new Map<string, Part>();
  for (const part of parts) {
    const before = byKey.get(part.schluessel);
    byKey.set(
      part.schluessel,
      before ? { ...part, ...together(before, part), token: before.token + part.token } : part,
    );
  }
  return [...byKey.values()];
}

/** Of a month that is open: by the references that count for the end customer. */
async function countedParts(
  { tx, now }: Moment,
  bill: Bill,
  references: EndkundeRow[],
  by: Group,
): Promise<Part[]> {
  const parts: Part[] = [];
  for (const { referenz } of references) {
    const where = { dimension: 'endkunde', value: referenz } as const;
    const { zeilen } = await consumption(tx, { window: bill.window, by, where }, now);
    for (const row of zeilen)
      parts.push({
        ...toUsage(row),
        schluessel: row.schluessel,
        token: BigInt(row.eingabe_token ?? 0) + BigInt(row.ausgabe_token ?? 0),
      });
  }
  return merged(parts);
}

const fromStored = (part: StoredPart): Part => ({
  schluessel: part.schluessel,
  aufrufe: Number(part.aufrufe),
  unbepreist: Number(part.unbepreist),
  teilbepreist: 0,
  token: BigInt(part.eingabe_token) + BigInt(part.ausgabe_token),
  kosten: part.kosten_eur === null ? null : eurFrom(part.kosten_eur),
  verbrannt: eurFrom(part.verbranntes_geld_eur),
});

async function partsBehind(moment: Moment, bill: Bill, row: EndkundeRow, line: Line): Promise<Parts> {
  if (bill.closed) {
    const stored = await readParts(moment.tx, bill.monat, line.referenz);
    return {
      agenten: (stored?.agenten ?? []).map(fromStored),
      modelle: (stored?.modelle ?? []).map(fromStored),
      tage: (stored?.tage ?? []).map(fromStored),
    };
  }
  const references = bill.customers.references(row);
  return {
    agenten: await countedParts(moment, bill, references, GROUPS.agenten),
    modelle: await countedParts(moment, bill, references, GROUPS.modelle),
    tage: await countedParts(moment, bill, references, GROUPS.tage),
  };
}

const most = (a: Part, b: Part): number => {
  const [first, second] = [a.kosten ?? -1n, b.kosten ?? -1n];
  if (first !== second) return first > second ? -1 : 1;
  return a.schluessel < b.schluessel ? -1 : 1;
};

function rowsOf(parts: Part[], line: Line, terms: Terms, names = new Map<string, string>()): StatementRow[] {
  const sorted = parts.toSorted(most);
  const amounts = partsOf(sorted, line, terms);
  return sorted.map(({ schluessel, aufrufe, token }, index) => ({
    schluessel,
    name: names.get(schluessel) ?? schluessel,
    aufrufe,
    token: token.toString(),
    betrag_eur: amounts[index] ?? null,
  }));
}

function tageOf(parts: Part[], bill: Bill, line: Line): Statement['tage'] {
  const byDay = new Map(parts.map((part) => [part.schluessel, part]));
  const days = daysOf(bill.monat).map((tag) => byDay.get(tag) ?? { ...NOTHING, schluessel: tag });
  const amounts = partsOf(days, line, bill.terms);
  return days.map(({ schluessel, aufrufe }, index) => ({
    tag: schluessel,
    aufrufe,
    betrag_eur: amounts[index] ?? null,
  }));
}

/** The markup in the charge of the line: what is left of it without the cost, so that both add up. */
function aufschlagOf(line: Line, { aufschlag_ausweisen }: Terms): Statement['aufschlag'] {
  if (!aufschlag_ausweisen || line.betrag_eur === null) return null;
  const cost = chargeOfCost(line.abrechenbar_eur);
  const betrag_eur = twoDecimals((centsOf(line.betrag_eur) - cost) as Cents);
  return { prozent: line.aufschlag_prozent, betrag_eur };
}

/** A cost to the cent, as a line without a markup charges it. */
const chargeOfCost = (kosten: string | null): bigint => toCents(eurFrom(kosten ?? '0'));

/** Tax of each line by itself, as it is booked; null where no tax is set or the charge is unknown. */
function taxOf(lines: Line[], prozent: string | null): Statement['umsatzsteuer'] {
  const charged = lines.flatMap(({ betrag_eur }) => betrag_eur ?? []);
  if (prozent === null || charged.length === 0) return null;
  const sum = (texts: string[]) => texts.reduce((total, text) => total + centsOf(text), 0n);
  const brutto = sum(charged.map((betrag) => twoDecimals(grossOf(betrag, prozent))));
  return {
    prozent,
    betrag_eur: twoDecimals((brutto - sum(charged)) as Cents),
    brutto_eur: twoDecimals(brutto as Cents),
  };
}

async function namesOf(tx: MandantTx, parts: Part[]): Promise<Map<string, string>> {
  const agents =
    parts.length > 0
      ? await readAgentsOf(
          tx,
          parts.map(({ schluessel }) => schluessel),
        )
      : [];
  return new Map(agents.map(({ schluessel, name }) => [schluessel, name]));
}

/** The end customer a reference counts for in the month: as billed where it is closed. Throws 404. */
function whose(bill: Bill, referenz: string): { row: EndkundeRow; line: Line } {
  const own = bill.customers.all.find((row) => row.referenz === referenz);
  if (!own) throw customerMissing();
  const isBilled = [...bill.lines, ...bill.corrections].some((line) => line.referenz === referenz);
  const row = bill.closed && isBilled ? own : (bill.customers.charged(referenz) ?? own);
  const line = bill.lines.find((each) => each.referenz === row.referenz);
  return { row, line: line ?? usageLine(bill.monat, toCustomer(row), NOTHING, bill.terms) };
}

/** The figures of a statement out of the month's bill. Throws 404 where the Mandant has no such end customer. */
export async function statementOf(moment: Moment, bill: Bill, referenz: string): Promise<Figures> {
  const { row, line } = whose(bill, referenz);
  const parts = await partsBehind(moment, bill, row, line);
  const korrekturen = bill.corrections.filter((each) => each.referenz === row.referenz);
  const { terms } = bill;
  return {
    monat: bill.monat,
    status: bill.status,
    geschlossen_am: bill.closed?.geschlossen_am ?? null,
    zeile: line,
    aufschlag: aufschlagOf(line, terms),
    nicht_berechnet_eur: terms.verbranntes_berechnen
      ? null
      : twoDecimals(chargeOfCost(line.verbranntes_geld_eur) as Cents),
    agenten: rowsOf(parts.agenten, line, terms, await namesOf(moment.tx, parts.agenten)),
    modelle: rowsOf(parts.modelle, line, terms),
    tage: tageOf(parts.tage, bill, line),
    korrekturen,
    netto_eur: chargeOf([line, ...korrekturen]),
    umsatzsteuer: taxOf([line, ...korrekturen], terms.steuersatz_prozent),
  };
}

export const readStatement = async (moment: Moment, monat: string, referenz: string): Promise<Figures> =>
  statementOf(moment, await billOf(moment, monat), referenz);
