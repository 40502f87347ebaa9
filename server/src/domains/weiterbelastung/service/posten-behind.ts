/** What stands behind a line: the agents, models and days that it is made of, of each kind the dearest, and the others as one. */
import { MAX_POSTEN } from '#contracts';
import { consumption, type SumsRow, tokensOf } from '#domains/verbrauch/index.ts';
import { eurFrom } from '#kernel/money.ts';
import type { Line } from '../line.ts';
import { together, type Usage } from '../rules.ts';
import type { EndkundeRow } from '../store/endkunden.ts';
import { readPosten, type StoredPosten } from '../store/posten.ts';
import type { Bill } from './bill.ts';
import type { Moment } from './moment.ts';
import { toUsage } from './usage.ts';

/** A part of what was used, by its key. */
export type StatementShare = Usage & {
  schluessel: string;
  token: bigint | null /** As it was when the month was closed. */;
  name?: string;
};

/** Parts in the order of their costs, as many as a statement shows, and what the others are together. */
export interface ListedShares {
  parts: StatementShare[];
  rest: (Omit<StatementShare, 'schluessel'> & { gruppen: number }) | null;
}

const GROUPS = { agenten: 'agent', modelle: 'modell', tage: 'tag' } as const;
type Kind = keyof typeof GROUPS;

const mostFirst = (a: StatementShare, b: StatementShare): number => {
  const [first, second] = [a.kosten ?? -1n, b.kosten ?? -1n];
  if (first !== second) return first > second ? -1 : 1;
  return a.schluessel < b.schluessel ? -1 : 1;
};

const both = <A extends Pick<StatementShare, 'token'> & Usage>(
  a: A,
  b: Pick<StatementShare, 'token'> & Usage,
): A => ({
  ...a,
  ...together(a, b),
  token: a.token === null || b.token === null ? null : a.token + b.token,
});

function merged(parts: StatementShare[]): StatementShare[] {
  const byKey = new Map<string, StatementShare>();
  for (const part of parts) {
    const before = byKey.get(part.schluessel);
    byKey.set(part.schluessel, before ? both(before, part) : part);
  }
  return [...byKey.values()];
}

const wholeOf = (token: string | number | null | undefined): bigint | null =>
  token === null || token === undefined ? null : BigInt(token);

const figuresOf = (row: SumsRow): Omit<StatementShare, 'schluessel'> => ({
  ...toUsage(row),
  token: wholeOf(tokensOf(row)),
});

/** Those of an end customer with references of its own besides have to be put together before the dearest are known. */
async function ofSeveral(
  { tx, engine }: Moment,
  { window }: Bill,
  values: string[],
  kind: Kind,
): Promise<ListedShares> {
  const parts: StatementShare[] = [];
  for (const value of values) {
    const where = { dimension: 'endkunde', value } as const;
    const { zeilen } = await consumption(engine, tx, { window, by: GROUPS[kind], where });
    for (const row of zeilen) parts.push({ ...figuresOf(row), schluessel: row.schluessel });
  }
  const sorted = merged(parts).sort(mostFirst);
  const [first, ...others] = sorted.splice(MAX_POSTEN);
  return {
    parts: sorted,
    rest: first ? { ...others.reduce(both, first), gruppen: 1 + others.length } : null,
  };
}

/** Of a month that is open: by the references that count for the end customer. */
async function countedParts(
  moment: Moment,
  bill: Bill,
  references: EndkundeRow[],
  kind: Kind,
): Promise<ListedShares> {
  const [value, ...more] = references.map(({ referenz }) => referenz);
  if (value === undefined || more.length > 0)
    return ofSeveral(
      moment,
      bill,
      references.map(({ referenz }) => referenz),
      kind,
    );
  const where = { dimension: 'endkunde', value } as const;
  const limit = kind === 'tage' ? null : MAX_POSTEN;
  const question = { window: bill.window, by: GROUPS[kind], where, limit };
  const { zeilen, rest } = await consumption(moment.engine, moment.tx, question);
  return {
    parts: zeilen.map((row) => ({ ...figuresOf(row), schluessel: row.schluessel })).sort(mostFirst),
    rest: rest && { ...figuresOf(rest), gruppen: rest.gruppen },
  };
}

const fromStored = (part: Omit<StoredPosten, 'schluessel'>): Omit<StatementShare, 'schluessel'> => ({
  aufrufe: Number(part.aufrufe),
  unbepreist: Number(part.unbepreist),
  teilbepreist: 0,
  token: wholeOf(part.token),
  kosten: part.kosten_eur === null ? null : eurFrom(part.kosten_eur),
  verbrannt: eurFrom(part.verbranntes_geld_eur),
});

/** Of a month that is closed: as they were billed. */
async function storedParts({ tx }: Moment, bill: Bill, line: Line, kind: Kind): Promise<ListedShares> {
  const { parts, rest } = await readPosten(
    tx,
    { monat: bill.monat, referenz: line.referenz, kind },
    MAX_POSTEN,
  );
  return {
    parts: parts
      .map((part) => ({
        ...fromStored(part),
        schluessel: part.schluessel,
        ...(part.name == null ? {} : { name: part.name }),
      }))
      .sort(mostFirst),
    rest: rest && { ...fromStored(rest), gruppen: rest.gruppen },
  };
}

/** What stands behind the line of an end customer. */
export async function postenBehind(
  moment: Moment,
  bill: Bill,
  row: EndkundeRow,
  line: Line,
): Promise<Record<Kind, ListedShares>> {
  const references = bill.customers.references(row);
  const read = (kind: Kind) =>
    bill.closed ? storedParts(moment, bill, line, kind) : countedParts(moment, bill, references, kind);
  return { agenten: await read('agenten'), modelle: await read('modelle'), tage: await read('tage') };
}
