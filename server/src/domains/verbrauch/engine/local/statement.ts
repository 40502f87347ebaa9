/** A question as SQL on the local copy. Every reading of its tables is made by `ofPieces`, which binds it to one Mandant. */
import type { FigureName } from '#contracts/rollup.ts';
import type { PieceColumn } from '../../pieces/columns.ts';
import { type Grouping, RANKED, type SumsQuestion } from '../question.ts';
import { type AskedDays, numberOfDays, partOfDays } from './days.ts';
import { keptFrom } from './kept-rows.ts';
import { aboutCost, placesOf } from './order.ts';
import { ADDENDS, type LocalTable, SUMMANDS } from './tables.ts';

/** Whose pieces are asked. */
export interface AskedPieces {
  /** The number of the Mandant in the local copy. */
  mandant: number;
  /** Pieces of the Mandant with calls of the window which are not asked about. */
  left: readonly number[];
  /** The last piece that was there when these were looked up: what is written meanwhile is not asked about either. */
  newest: number;
  /** Columns that are not 0 throughout. */
  present: ReadonlySet<PieceColumn>;
  /** Of these pieces those whose days are added up. */
  days: AskedDays;
  /** The number of rows that are asked about and not in the tables yet (`KeptRows`); null where there are none. */
  kept: number | null;
  /** Groups that alone are asked about, by their keys. */
  chosen?: readonly (readonly number[])[];
}

/** Figures that are added up: what the order follows from in any case. */
export const summedFigures = ({ figures }: SumsQuestion): readonly FigureName[] => [
  ...new Set([...RANKED, ...figures]),
];

type Summands = Record<LocalTable, readonly PieceColumn[]>;

/** The columns that are added up for a question. */
function summands(question: SumsQuestion, present: ReadonlySet<PieceColumn>): Summands {
  const wanted = new Set(
    summedFigures(question).flatMap((name) => ADDENDS[name].map(({ column }) => column)),
  );
  const of = (table: LocalTable) =>
    SUMMANDS[table].filter((column) => wanted.has(column) && (present.has(column) || column === 'aufrufe'));
  return { rufe: of('rufe'), besonders: of('besonders') };
}

const keyNames = ({ by }: SumsQuestion) => by.map((_, index) => `k${index}`);

/** JOIN that leaves the calls of these groups: a list of them as a condition is looked through for each call. */
function inGroups(by: readonly Grouping[], chosen: AskedPieces['chosen']): string {
  if (!chosen || chosen.length === 0) return '';
  const groups = chosen.map((keys) => `(${keys.join(', ')})`).join(', ');
  const columns = by.map((_, index) => `g${index}`);
  return `JOIN (VALUES ${groups}) chosen (${columns.join(', ')}) ON ${by.map((name, index) => `${name} = g${index}`).join(' AND ')}`;
}

/** Which rows of a table: of one Mandant, the pieces asked about. */
const ofPieces = ({ mandant, left, newest }: AskedPieces): string[] => [
  `mandant = ${mandant}`,
  `stueck <= ${newest}`,
  ...(left.length > 0 ? [`stueck NOT IN (${left.join(', ')})`] : []),
];

const inHours = ({ von, bis }: SumsQuestion): string[] => [`stunde >= ${von}`, `stunde < ${bis}`];

/** Which of these rows. */
const isWanted = ({ filters }: SumsQuestion, { chosen }: AskedPieces): string[] => [
  ...filters.map(({ dimension, merkmale }) =>
    merkmale.length > 0 ? `${dimension} IN (${merkmale.join(', ')})` : 'false',
  ),
  ...(chosen?.length === 0 ? ['false'] : []),
];

/** Whether days that are added up answer any of it. */
const isOfDays = (question: SumsQuestion, { days }: AskedPieces): boolean =>
  days.any && partOfDays(question) !== undefined;

/** SELECT of days that are added up, of all columns. */
function ofDays(selected: readonly string[], question: SumsQuestion, pieces: AskedPieces): string {
  const name = partOfDays(question) ?? null;
  const columns = selected.map((column) => (column === name ? `merkmal AS ${name}` : column));
  const conditions = [
    ...ofPieces(pieces),
    `dimension = ${numberOfDays(name)}`,
    `von >= ${question.von}`,
    `bis < ${question.bis}`,
  ];
  return `SELECT ${columns.join(', ')} FROM tage WHERE ${conditions.join(' AND ')}`;
}

/** Runs of pieces that are looked for one by one. */
const MOST_RUNS = 24;

/** Conditions that say which pieces: runs of numbers, each found by what its blocks have at least and at most. With a list, all blocks are read. */
function inRuns(stuecke: readonly number[]): string[] {
  const runs: [first: number, last: number][] = [];
  for (const stueck of stuecke.toSorted((a, b) => a - b)) {
    const run = runs.at(-1);
    if (run && stueck === run[1] + 1) run[1] = stueck;
    else runs.push([stueck, stueck]);
  }
  if (runs.length > MOST_RUNS) return [`stueck IN (${stuecke.join(', ')})`];
  return runs.map(([first, last]) => `stueck BETWEEN ${first} AND ${last}`);
}

/** Conditions on rows: each says some of those that days do not answer. */
const besideDays = ({ small, cut }: AskedDays): string[] => [
  ...inRuns(small),
  ...[...Map.groupBy(cut, ([, tag]) => tag)].map(
    ([tag, pieces]) => `tag = ${tag} AND stueck IN (${pieces.map(([stueck]) => stueck).join(', ')})`,
  ),
];

/** FROM days that are added up where there are any, and from the rows of all else, those among them that are not in the tables yet. */
function from(summed: Summands, question: SumsQuestion, pieces: AskedPieces): string {
  const isByDays = isOfDays(question, pieces);
  const keys = [...new Set([...question.by, ...question.filters.map(({ dimension }) => dimension)])];
  const all = [...summed.rufe, ...summed.besonders];
  const ofTable = (table: LocalTable): string[] => {
    const own = summed[table];
    if (own.length === 0) return [];
    const columns = [...keys, ...all.map((name) => (own.includes(name) ? name : `0 AS ${name}`))];
    const select = (source: string, ...conditions: string[]) => {
      // Of `besonders` those rows alone that say anything, where one figure of it is asked for.
      const said = table === 'besonders' && own.length === 1 ? [`${own[0]} <> 0`] : [];
      return `SELECT ${columns.join(', ')} ${source} WHERE ${[...inHours(question), ...said, ...conditions].join(' AND ')}`;
    };
    const rows = isByDays ? besideDays(pieces.days) : ['true'];
    return [
      ...rows.map((condition) => select(`FROM ${table}`, ...ofPieces(pieces), condition)),
      ...(pieces.kept === null ? [] : [select(keptFrom(pieces.kept, table))]),
    ];
  };
  const parts = [
    ...(isByDays ? [ofDays([...keys, ...all], question, pieces)] : []),
    ...ofTable('rufe'),
    ...ofTable('besonders'),
  ];
  const conditions = isWanted(question, pieces);
  return `FROM (${parts.join(' UNION ALL ')}) ${inGroups(question.by, pieces.chosen)} ${conditions.length > 0 ? `WHERE ${conditions.join(' AND ')}` : ''}`;
}

/** Sums of columns by the groups. */
function sumsBy(summed: Summands, question: SumsQuestion, asked: AskedPieces): string {
  const names = keyNames(question);
  const keys = question.by.map((column, index) => `${column} AS ${names[index]}`);
  const sums = [...summed.rufe, ...summed.besonders].map(
    (column) => `coalesce(sum(${column}), 0) AS ${column}`,
  );
  const grouped = names.length > 0 ? `GROUP BY ${names.map((_, index) => index + 1).join(', ')}` : '';
  return `SELECT ${[...keys, ...sums].join(', ')} ${from(summed, question, asked)} ${grouped}`;
}

/** The same of both tables: apart where rows are many, since of those of `besonders` there are few. */
function sumsOfBoth({ rufe, besonders }: Summands, question: SumsQuestion, asked: AskedPieces): string {
  if (besonders.length === 0 || isOfDays(question, asked))
    return sumsBy({ rufe, besonders }, question, asked);
  const keys = keyNames(question);
  const special = besonders.map((name) => `coalesce(b.${name}, 0) AS ${name}`);
  return `SELECT ${[...keys, ...rufe, ...special].join(', ')} FROM (${sumsBy({ rufe, besonders: [] }, question, asked)}) r
    ${keys.length > 0 ? 'LEFT' : 'CROSS'} JOIN (${sumsBy({ rufe: [], besonders }, question, asked)}) b ${keys.length > 0 ? `USING (${keys.join(', ')})` : ''}`;
}

/** The groups, each with its sums and about what it costs. */
function groups(question: SumsQuestion, asked: AskedPieces, summed: Summands): string {
  const unpriced = summed.besonders.includes('unbepreist') ? 'unbepreist' : '0';
  return `SELECT *, ${aboutCost(`aufrufe = ${unpriced}`, asked.present).join(', ')} FROM (${sumsOfBoth(summed, question, asked)})`;
}

/** Columns before the keys and the sums: 0 for a group and 1 for the total, which has how many groups there are and how many at `from` or behind it. */
const HEAD = 3;
/** Groups that are answered at most, those that cost the same among them: each is an object in two processes. */
export const MOST_GROUPS = 100_000;

/** SQL, and which columns of its rows are what. */
export interface Statement {
  text: string;
  head: number;
  keys: number;
  sums: readonly PieceColumn[];
}

/** All calls of the question together. */
export function totalStatement(question: SumsQuestion, asked: AskedPieces): Statement {
  const summed = summands(question, asked.present);
  const text = sumsOfBoth(summed, { ...question, by: [] }, asked);
  return { text, head: 0, keys: 0, sums: [...summed.rufe, ...summed.besonders] };
}

/** The figures of the groups that were chosen. */
export function figuresStatement(question: SumsQuestion, asked: AskedPieces): Statement {
  const columns = summands(question, asked.present);
  const sums = [...columns.rufe, ...columns.besonders];
  const keys = keyNames(question);
  const text = `SELECT ${[...keys, ...sums].join(', ')} FROM (${groups(question, asked, columns)}) g`;
  return { text, head: 0, keys: keys.length, sums };
}

/** What is answered of the groups of a page: all figures, or which they are and how many there are alone. */
type PageOf = 'figures' | 'keys';

/**
 * Groups that can be on the page, and the total. Nothing is put in order: only about where the last one of the page stands is looked for,
 * and what may stand there or before it is answered.
 */
export function pageStatement(question: SumsQuestion, asked: AskedPieces, of: PageOf = 'figures'): Statement {
  const columns = summands(of === 'keys' ? { ...question, figures: RANKED } : question, asked.present);
  const sums = of === 'keys' ? [] : [...columns.rufe, ...columns.besonders];
  const keys = keyNames(question);
  const { atFrom, behind, end, untilEnd } = placesOf(question);
  const text = `WITH g AS MATERIALIZED (${groups(question, asked, columns)}),
      e AS MATERIALIZED (${end('g', `aufrufe > 0 AND ${behind}`)})
    (SELECT 0 AS kind, 0::BIGINT AS groups, 0::BIGINT AS behind, ${[...keys, ...sums].join(', ')}
    FROM g CROSS JOIN e WHERE aufrufe > 0 AND (${atFrom} OR (${behind} AND ${untilEnd})) LIMIT ${MOST_GROUPS + 1})
    UNION ALL SELECT 1, count(*) FILTER (WHERE aufrufe > 0), count(*) FILTER (WHERE aufrufe > 0 AND (${atFrom} OR ${behind})),
      ${[...keys.map(() => 'NULL'), ...sums.map((name) => `coalesce(sum(${name}), 0)`)].join(', ')} FROM g`;
  return { text, head: HEAD, keys: keys.length, sums };
}
