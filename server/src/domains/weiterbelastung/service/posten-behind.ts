/** What stands behind a line: the agents, models and days that it is made of, of each kind the dearest, and the others as one. */
import { MAX_POSTEN } from '#contracts';
import { eurFrom } from '#kernel/money.ts';
import type { Line } from '../line.ts';
import { toShare } from '../parts.ts';
import { together, type Usage } from '../rules.ts';
import type { EndkundeRow } from '../store/endkunden.ts';
import { readPosten, type StoredPosten } from '../store/posten.ts';
import type { Bill } from './bill.ts';
import { dearestOf, groupsOf } from './groups.ts';
import type { Moment } from './moment.ts';

/** A part of what was used, by its key. */
export type StatementShare = Usage & {
  schluessel: string;
  token: bigint | null /** As it was when the month was closed. */;
  name?: string;
};

/** Parts in the order of their costs, as many as a statement shows, and what the others are together. */
export interface ListedShares {
  parts: StatementShare[];
  rest: (ShareFigures & { gruppen: number }) | null;
}

const GROUPS = { agenten: 'agent', modelle: 'modell', tage: 'tag' } as const;
type Kind = keyof typeof GROUPS;

/** What stands behind a line, of each kind. */
export type SharesBehind = Record<Kind, ListedShares>;

const mostFirst = (a: StatementShare, b: StatementShare): number => {
  const [first, second] = [a.kosten ?? -1n, b.kosten ?? -1n];
  if (first !== second) return first > second ? -1 : 1;
  return a.schluessel < b.schluessel ? -1 : 1;
};

type ShareFigures = Omit<StatementShare, 'schluessel'>;

const both = <A extends ShareFigures>(a: A, b: ShareFigures): A => ({
  ...a,
  ...together(a, b),
  token: a.token === null || b.token === null ? null : a.token + b.token,
});

const wholeOf = (token: string | number | null | undefined): bigint | null =>
  token === null || token === undefined ? null : BigInt(token);

/** Of an open month, by the references that count for the end customer. */
async function countedParts(
  moment: Moment,
  { window, customers }: Bill,
  row: EndkundeRow,
  kind: Kind,
): Promise<ListedShares> {
  const values = customers.references(row).map(({ referenz }) => referenz);
  const limit = kind === 'tage' ? null : MAX_POSTEN;
  const { gruppen, rest } = await dearestOf(moment, window, values, { by: [GROUPS[kind]], limit });
  return {
    parts: gruppen
      .map(({ schluessel: [schluessel = ''], figures }) => ({ ...toShare(figures), schluessel }))
      .sort(mostFirst),
    rest: rest && { ...toShare(rest.figures), gruppen: rest.gruppen },
  };
}

/** Those of one end customer by their keys, the dearest and the others as one. */
function listed(shares: ReadonlyMap<string, ShareFigures>): ListedShares {
  const parts = [...shares].map(([schluessel, figures]) => ({ ...figures, schluessel })).sort(mostFirst);
  const [first, ...others] = parts.splice(MAX_POSTEN);
  if (!first) return { parts, rest: null };
  const { schluessel: _, ...rest } = others.reduce(both, first);
  return { parts, rest: { ...rest, gruppen: 1 + others.length } };
}

/** Of an open month, of several end customers at once, by their references. */
async function countedOfSeveral(
  moment: Moment,
  bill: Bill,
  rows: readonly EndkundeRow[],
  kind: Kind,
): Promise<Map<string, ListedShares>> {
  const { window, customers } = bill;
  const [only, another] = rows;
  // Its parts beyond those on the statement may be too many for one answer.
  if (only && !another) return new Map([[only.referenz, await countedParts(moment, bill, only, kind)]]);
  const charged = new Map(
    rows.flatMap((row) => customers.references(row).map(({ referenz }) => [referenz, row.referenz])),
  );
  const shares = new Map(rows.map(({ referenz }) => [referenz, new Map<string, ShareFigures>()]));
  for (const group of await groupsOf(moment, window, [...charged.keys()], [GROUPS[kind]])) {
    const [referenz = '', schluessel = ''] = group.schluessel;
    const own = shares.get(charged.get(referenz) as string) as Map<string, ShareFigures>;
    const before = own.get(schluessel);
    const figures = toShare(group.figures);
    own.set(schluessel, before ? both(before, figures) : figures);
  }
  return new Map([...shares].map(([referenz, own]) => [referenz, listed(own)]));
}

const fromStored = (part: Omit<StoredPosten, 'schluessel'>): ShareFigures => ({
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
): Promise<SharesBehind> {
  const read = (kind: Kind) =>
    bill.closed ? storedParts(moment, bill, line, kind) : countedParts(moment, bill, row, kind);
  return { agenten: await read('agenten'), modelle: await read('modelle'), tage: await read('tage') };
}

/** What stands behind the lines of several end customers of an open month, by their references: some questions for all of them. */
export async function postenBehindSeveral(
  moment: Moment,
  bill: Bill,
  rows: readonly EndkundeRow[],
): Promise<Map<string, SharesBehind>> {
  const read = (kind: Kind) => countedOfSeveral(moment, bill, rows, kind);
  const [agenten, modelle, tage] = [await read('agenten'), await read('modelle'), await read('tage')];
  const of = (shares: Map<string, ListedShares>, referenz: string) => shares.get(referenz) as ListedShares;
  return new Map(
    rows.map(({ referenz }) => [
      referenz,
      { agenten: of(agenten, referenz), modelle: of(modelle, referenz), tage: of(tage, referenz) },
    ]),
  );
}
