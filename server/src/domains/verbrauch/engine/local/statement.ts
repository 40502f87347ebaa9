/** A question as SQL on the local copy. Every reading of its tables is made by `from`, which binds it to one Mandant. */
import type { FigureName } from '#contracts/rollup.ts';
import { LIMB_EXPONENTS, type StepColumn } from '../../pieces/columns.ts';
import { isTime, RANKED, type Standing, type SumsQuestion } from '../question.ts';
import { ADDENDS, type LocalColumn, type LocalTable, SUMMANDS } from './tables.ts';

/** Whose pieces are asked. */
export interface Asked {
  /** The number of the Mandant in the local copy. */
  mandant: number;
  /** Pieces of the Mandant with calls of the window which are not asked about. */
  left: readonly number[];
  /** Columns that are not 0 throughout. */
  present: ReadonlySet<LocalColumn>;
}

/** Figures that are added up: what the order follows from in any case. */
export const summedFigures = ({ figures }: SumsQuestion): readonly FigureName[] => [
  ...new Set([...RANKED, ...figures]),
];

/** The columns that are added up for a question. */
function summands(
  question: SumsQuestion,
  present: ReadonlySet<LocalColumn>,
): Record<LocalTable, LocalColumn[]> {
  const wanted = new Set(
    summedFigures(question).flatMap((name) => ADDENDS[name].map(({ column }) => column)),
  );
  const of = (table: LocalTable) =>
    SUMMANDS[table].filter((column) => wanted.has(column) && (present.has(column) || column === 'aufrufe'));
  return { rufe: of('rufe'), besonders: of('besonders') };
}

const keyNames = ({ by }: SumsQuestion) => by.map((_, index) => `k${index}`);

/** FROM a table: of one Mandant, the pieces asked about, the window and the filters. */
function from(table: LocalTable, { von, bis, filters }: SumsQuestion, { mandant, left }: Asked): string {
  const conditions = [
    `mandant = ${mandant}`,
    `stunde >= ${von}`,
    `stunde < ${bis}`,
    ...filters.map(({ dimension, merkmale }) =>
      merkmale.length > 0 ? `${dimension} IN (${merkmale.join(', ')})` : 'false',
    ),
    ...(left.length > 0 ? [`stueck NOT IN (${left.join(', ')})`] : []),
  ];
  return `FROM ${table} WHERE ${conditions.join(' AND ')}`;
}

/** Sums of a table's columns by the groups. */
function sumsBy(
  table: LocalTable,
  columns: readonly LocalColumn[],
  question: SumsQuestion,
  asked: Asked,
): string {
  const names = keyNames(question);
  const keys = question.by.map((column, index) => `${column} AS ${names[index]}`);
  const sums = columns.map((column) => `coalesce(sum(${column}), 0) AS ${column}`);
  const grouped = names.length > 0 ? `GROUP BY ${names.map((_, index) => index + 1).join(', ')}` : '';
  return `SELECT ${[...keys, ...sums].join(', ')} ${from(table, question, asked)} ${grouped}`;
}

/** Between the units of the second limb and of the finest one. */
const APART = (10n ** BigInt(LIMB_EXPONENTS[1] - LIMB_EXPONENTS[3])).toString();

/** The limbs of a cost put together to numbers of two units: the greater cost has the lesser pair, whatever the signs of the limbs. */
function costOrder(present: ReadonlySet<LocalColumn>): string[] {
  const limb = (index: 0 | 1 | 2 | 3, unit: number) =>
    present.has(`kosten_eur_${index}`)
      ? [`kosten_eur_${index} * ${10n ** BigInt(LIMB_EXPONENTS[index] - unit)}::HUGEINT`]
      : [];
  const negative = (parts: string[]) => (parts.length > 0 ? `-(${parts.join(' + ')})` : '0::HUGEINT');
  const high = negative([...limb(0, LIMB_EXPONENTS[1]), ...limb(1, LIMB_EXPONENTS[1])]);
  const low = [...limb(2, LIMB_EXPONENTS[3]), ...limb(3, LIMB_EXPONENTS[3])];
  if (low.length === 0) return [`${high} AS cost_high`, '0::HUGEINT AS cost_low'];
  return [
    `${negative(low)} AS low`,
    `((low % ${APART}) + ${APART}) % ${APART} AS cost_low`,
    `${high} + (low - cost_low) // ${APART} AS cost_high`,
  ];
}

/** What groups are put in order by, the first one first, each from the least. Times alone name their group. */
function orderOf({ by, order }: SumsQuestion): string[] {
  const times = by.flatMap((grouping, index) => (isTime(grouping) ? [`k${index}`] : []));
  const costs = ['unknown', 'cost_high', 'cost_low'];
  if (order === 'cost') return costs;
  return times.length === by.length ? times : [...times, ...costs];
}

/** That a row stands before another one. */
function isBefore(names: readonly string[], other: (name: string) => string): string {
  const [name, ...rest] = names;
  if (name === undefined) return 'false';
  return `(${name} < ${other(name)} OR (${name} = ${other(name)} AND ${isBefore(rest, other)}))`;
}
const isEqual = (names: readonly string[], other: (name: string) => string): string =>
  `(${names.map((name) => `${name} = ${other(name)}`).join(' AND ')})`;

/** A standing by the names of `orderOf`. */
function standingValues(question: SumsQuestion, { times, cost }: Standing): Record<string, string> {
  const apart = BigInt(APART);
  const negative = -(cost ?? 0n);
  const low = ((negative % apart) + apart) % apart;
  const values = [
    ...times.map(String),
    cost === null ? '1' : '0',
    `${(negative - low) / apart}::HUGEINT`,
    `${low}::HUGEINT`,
  ];
  return Object.fromEntries(orderOf(question).map((name, index) => [name, values[index] as string]));
}

/** Groups that stand behind `from`, and those that stand there. */
function placed(question: SumsQuestion): { behind: string; equal: string } {
  if (!question.from) return { behind: 'true', equal: 'false' };
  const values = standingValues(question, question.from);
  const valueIn = (name: string) => values[name] as string;
  const names = orderOf(question);
  const equal = isEqual(names, valueIn);
  return { behind: `NOT (${equal} OR ${isBefore(names, valueIn)})`, equal };
}

/** The groups, each with its sums and what they are put in order by. */
function groups(question: SumsQuestion, asked: Asked, columns: Record<LocalTable, LocalColumn[]>): string {
  const keys = keyNames(question);
  const special = columns.besonders;
  const joined = `LEFT JOIN (${sumsBy('besonders', special, question, asked)}) b USING (${keys.join(', ')})`;
  const unpriced = special.includes('unbepreist') ? 'coalesce(b.unbepreist, 0)' : '0';
  const sums = [...columns.rufe, ...special.map((name) => `coalesce(b.${name}, 0) AS ${name}`)];
  return `SELECT ${[...keys, ...sums, `(r.aufrufe = ${unpriced})::INTEGER AS unknown`].join(', ')}
    FROM (${sumsBy('rufe', columns.rufe, question, asked)}) r ${special.length > 0 ? joined : ''}`;
}

/** Columns before the keys and the sums: 0 for a group and 1 for the total, which has how many groups there are and how many at `from` or behind it. */
const HEAD = 3;

/** SQL, and which columns of its rows are what. */
export interface Statement {
  text: string;
  head: number;
  keys: number;
  sums: readonly LocalColumn[];
}

/** All calls of the question together. */
function totalStatement(
  question: SumsQuestion,
  asked: Asked,
  { rufe, besonders }: Record<LocalTable, LocalColumn[]>,
) {
  const ordinary = sumsBy('rufe', rufe, question, asked);
  const text =
    besonders.length > 0
      ? `SELECT * FROM (${ordinary}) r CROSS JOIN (${sumsBy('besonders', besonders, question, asked)}) b`
      : ordinary;
  return `SELECT 1 AS kind, 0::BIGINT AS groups, 0::BIGINT AS behind, t.* FROM (${text}) t`;
}

/**
 * Groups that can be on the page, and the total. They are not put in order: only where the last one of the page stands is looked for.
 */
export function statementOf(question: SumsQuestion, asked: Asked): Statement {
  const columns = summands(question, asked.present);
  const sums = [...columns.rufe, ...columns.besonders];
  const keys = keyNames(question);
  const shape = { head: HEAD, keys: keys.length, sums };
  if (keys.length === 0) return { text: totalStatement(question, asked, columns), ...shape };
  const order = orderOf(question);
  const { behind, equal } = placed(question);
  const end = (name: string) => `e.e_${name}`;
  const ends = order.map((name) => `${name} AS e_${name}`).join(', ');
  const lookup = `SELECT ${ends} FROM g WHERE aufrufe > 0 AND ${behind} ORDER BY ${order.join(', ')} LIMIT 1 OFFSET ${question.limit}`;
  const untilEnd = `(${end(order[0] as string)} IS NULL OR ${isEqual(order, end)} OR ${isBefore(order, end)})`;
  const text = `WITH g AS MATERIALIZED (SELECT *, ${costOrder(asked.present).join(', ')} FROM (${groups(question, asked, columns)}) s)
    ${question.limit === null ? '' : `, e AS MATERIALIZED (${lookup})`}
    SELECT 0 AS kind, 0::BIGINT AS groups, 0::BIGINT AS behind, ${[...keys, ...sums].join(', ')}
    FROM g ${question.limit === null ? '' : 'LEFT JOIN e ON true'}
    WHERE aufrufe > 0 AND (${equal} OR (${behind} ${question.limit === null ? '' : `AND ${untilEnd}`}))
    UNION ALL SELECT 1, count(*) FILTER (WHERE aufrufe > 0), count(*) FILTER (WHERE aufrufe > 0 AND (${equal} OR ${behind})),
      ${[...keys.map(() => 'NULL'), ...sums.map((name) => `coalesce(sum(${name}), 0)`)].join(', ')} FROM g`;
  return { text, ...shape };
}

/** Calls by step of a histogram: of these groups, or of all calls of the question where none are given. */
export function stepsStatement(
  step: StepColumn,
  question: SumsQuestion,
  asked: Asked,
  keys: readonly (readonly number[])[] | null,
): string {
  const names = keys === null ? [] : [...question.by];
  const among =
    keys === null
      ? ''
      : `AND (${names.join(', ')}) IN (${keys.map((key) => `(${key.join(', ')})`).join(', ')})`;
  const columns = [...names, step].join(', ');
  return `SELECT ${columns}, sum(aufrufe)::HUGEINT AS calls ${from('rufe', question, asked)} AND ${step} > 0 ${among} GROUP BY ${columns}`;
}
