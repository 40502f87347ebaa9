/** The check of a FOCUS dataset, driven by the table of columns. */
import { parse } from 'csv-parse/sync';
import type { Sentence } from '#kernel/sentence.ts';
import { COLUMNS, type Column, type Empty, isCustom, isUnitPrice, PRODUCTS } from './columns.ts';
import { SUBCATEGORIES } from './services.ts';
import { isOfType, isProduct } from './values.ts';

export interface FocusFinding {
  code: string;
  /** From 1; the head is line 1. */
  zeile: number;
  /** Id of the column; null for the line as a whole. */
  spalte: string | null;
  satz: Sentence;
}

/** A row by the ids of its columns; a column that the file does not have is undefined, an empty cell ''. */
type Row = Record<string, string | undefined>;

const finding = (
  code: string,
  zeile: number,
  spalte: string | null,
  de: string,
  en: string,
): FocusFinding => ({ code, zeile, spalte, satz: { de, en } });

const BY_ID = new Map(COLUMNS.map((column) => [column.id, column]));

function headFindings(head: readonly string[]): FocusFinding[] {
  const strange = head.flatMap((id, at) => {
    if (!BY_ID.has(id) && !isCustom(id))
      return finding(
        'spalte_unbekannt',
        1,
        id,
        `Die Spalte „${id}“ gibt es in FOCUS 1.2 nicht; eigene beginnen mit x_.`,
        `There is no column “${id}” in FOCUS 1.2; columns of one’s own begin with x_.`,
      );
    return head.indexOf(id) === at
      ? []
      : finding(
          'spalte_doppelt',
          1,
          id,
          `Die Spalte „${id}“ gibt es zweimal.`,
          `The column “${id}” is there twice.`,
        );
  });
  const missing = COLUMNS.filter(({ id, presence }) => presence !== 'conditional' && !head.includes(id));
  return [
    ...strange,
    ...missing.map(({ id, presence }) =>
      finding(
        presence === 'mandatory' ? 'spalte_fehlt' : 'spalte_empfohlen',
        1,
        id,
        `Die Spalte „${id}“ ${presence === 'mandatory' ? 'fehlt' : 'wird empfohlen'}.`,
        `The column “${id}” is ${presence === 'mandatory' ? 'missing' : 'recommended'}.`,
      ),
    ),
  ];
}

const CHARGE_CATEGORIES = BY_ID.get('ChargeCategory')?.allowed ?? [];
const isSale = ({ ChargeCategory }: Row) => ChargeCategory === 'Usage' || ChargeCategory === 'Purchase';
const isCorrection = ({ ChargeClass }: Row) => ChargeClass === 'Correction';

/** Whether a cell must hold something, must hold nothing, or may do either. */
type Wanted = 'value' | 'nothing' | 'either';

function wantedOfCharge(row: Row): Wanted {
  if (row.ChargeCategory === 'Tax') return 'nothing';
  return isSale(row) && !isCorrection(row) ? 'value' : 'either';
}

function wantedOfUsage(row: Row): Wanted {
  if (!CHARGE_CATEGORIES.includes(row.ChargeCategory ?? '')) return 'either';
  if (row.ChargeCategory !== 'Usage' || row.CommitmentDiscountStatus === 'Unused') return 'nothing';
  return isCorrection(row) ? 'either' : 'value';
}

function wantedOf(empty: Empty, row: Row): Wanted {
  if (empty === 'never') return 'value';
  if (empty === 'always') return 'either';
  if (empty === 'charge') return wantedOfCharge(row);
  if (empty === 'usage') return wantedOfUsage(row);
  if ('with' in empty) return row[empty.with] ? 'value' : 'nothing';
  return row[empty.without] ? 'either' : 'nothing';
}

/** What people write where there is nothing. */
const PLACEHOLDER = /^(null|n\/a|not applicable)$/i;

/** What is wrong with what a cell holds. */
function valueFinding({ id, type, allowed }: Column, text: string, zeile: number): FocusFinding | null {
  if (PLACEHOLDER.test(text))
    return finding(
      'platzhalter',
      zeile,
      id,
      `„${text}“ steht für nichts: die Zelle bleibt dann leer.`,
      `“${text}” stands for nothing: the cell is left empty then.`,
    );
  if (!isOfType(text, type) || (isUnitPrice(id) && text.startsWith('-')))
    return finding(
      'form',
      zeile,
      id,
      `„${text}“ ist in der Spalte „${id}“ nicht erlaubt (${type}).`,
      `“${text}” is not allowed in “${id}” (${type}).`,
    );
  if (allowed === null || allowed.includes(text)) return null;
  return finding(
    'wert',
    zeile,
    id,
    `„${text}“ gehört nicht zu den Werten der Spalte „${id}“.`,
    `“${text}” is none of the values of “${id}”.`,
  );
}

function cellFinding(column: Column, row: Row, zeile: number): FocusFinding | null {
  const { id } = column;
  const text = row[id] as string;
  const wanted = wantedOf(column.empty, row);
  if (text === '' && wanted === 'value')
    return finding(
      'leer',
      zeile,
      id,
      `Die Spalte „${id}“ darf hier nicht leer sein.`,
      `“${id}” must not be empty here.`,
    );
  const ofValue = text === '' ? null : valueFinding(column, text, zeile);
  if (ofValue || text === '' || wanted !== 'nothing') return ofValue;
  return finding(
    'nicht_leer',
    zeile,
    id,
    `Die Spalte „${id}“ muss hier leer sein.`,
    `“${id}” must be empty here.`,
  );
}

/** What holds between the cells of a row, each with the column it is reported for. */
const RULES: readonly {
  spalte: string;
  reads: string[];
  holds(row: Row): boolean;
  de: string;
  en: string;
}[] = [
  {
    spalte: 'ChargePeriodEnd',
    reads: ['ChargePeriodStart', 'ChargePeriodEnd'],
    holds: (row) => (row.ChargePeriodStart as string) < (row.ChargePeriodEnd as string),
    de: 'Das Ende liegt nicht nach dem Beginn.',
    en: 'The end is not after the beginning.',
  },
  {
    spalte: 'BillingPeriodEnd',
    reads: ['BillingPeriodStart', 'BillingPeriodEnd'],
    holds: (row) => (row.BillingPeriodStart as string) < (row.BillingPeriodEnd as string),
    de: 'Das Ende liegt nicht nach dem Beginn.',
    en: 'The end is not after the beginning.',
  },
  {
    spalte: 'ChargeFrequency',
    reads: ['ChargeCategory', 'ChargeFrequency'],
    holds: (row) => row.ChargeCategory !== 'Purchase' || row.ChargeFrequency !== 'Usage-Based',
    de: 'Ein Kauf ist nicht „Usage-Based“.',
    en: 'A purchase is not “Usage-Based”.',
  },
  {
    spalte: 'ServiceSubcategory',
    reads: ['ServiceCategory', 'ServiceSubcategory'],
    holds: (row) => SUBCATEGORIES[row.ServiceSubcategory as string] === row.ServiceCategory,
    de: 'Die Unterkategorie gehört zu einer anderen Kategorie.',
    en: 'The subcategory belongs to another category.',
  },
];

/** A cost is unit price times quantity; without a unit price it is what is billed. Corrections and taxes may differ. */
function costFinding(row: Row, zeile: number): FocusFinding | null {
  if (isCorrection(row) || !isSale(row)) return null;
  for (const { price, cost } of PRODUCTS) {
    const [one, many] = row[price] ? [row[price], row.PricingQuantity] : [row.BilledCost, '1'];
    if (one && many && row[cost] && isProduct(one, many, row[cost]) === false)
      return finding(
        'kosten_ungleich',
        zeile,
        cost,
        `„${cost}“ ist nicht ${row[price] ? `„${price}“ mal „PricingQuantity“` : '„BilledCost“'}.`,
        `“${cost}” is not ${row[price] ? `“${price}” times “PricingQuantity”` : '“BilledCost”'}.`,
      );
  }
  return null;
}

function rowFindings(head: readonly string[], cells: readonly string[], zeile: number): FocusFinding[] {
  if (cells.length !== head.length)
    return [
      finding(
        'zellenzahl',
        zeile,
        null,
        `Die Zeile hat ${cells.length} Zellen, die Überschrift ${head.length}.`,
        `The line has ${cells.length} cells, the head ${head.length}.`,
      ),
    ];
  const row: Row = Object.fromEntries(head.map((id, at) => [id, cells[at]]));
  const present = COLUMNS.filter(({ id }) => row[id] !== undefined);
  const findings = present.flatMap((column) => cellFinding(column, row, zeile) ?? []);
  // What a wrong cell is compared with says nothing more.
  const wrong = new Set(findings.map(({ spalte }) => spalte));
  const broken = RULES.filter(
    ({ reads, holds }) => reads.every((id) => row[id] && !wrong.has(id)) && !holds(row),
  ).map(({ spalte, de, en }) => finding('zusammenhang', zeile, spalte, de, en));
  const cost = findings.length === 0 ? costFinding(row, zeile) : null;
  return [...findings, ...broken, ...(cost ? [cost] : [])];
}

const UNREADABLE: [de: string, en: string] = [
  'Das ist keine CSV-Datei mit Kommas in UTF-8.',
  'This is no CSV with commas in UTF-8.',
];

/** What is wrong with a dataset, by its lines; empty where nothing is. Never throws. */
export function checkFocus(bytes: Uint8Array): FocusFinding[] {
  let records: string[][];
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    records = parse(text, { bom: true, relax_column_count: true });
  } catch {
    return [finding('unlesbar', 1, null, ...UNREADABLE)];
  }
  const [head, ...rows] = records;
  if (!head) return [finding('unlesbar', 1, null, ...UNREADABLE)];
  const ofHead = headFindings(head);
  if (ofHead.some(({ code }) => code === 'spalte_doppelt')) return ofHead;
  return [...ofHead, ...rows.flatMap((cells, at) => rowFindings(head, cells, at + 2))];
}
