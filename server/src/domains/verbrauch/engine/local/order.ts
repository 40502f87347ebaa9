/**
 * Where groups stand, as SQL. Exact costs have more digits than numbers of the engine are quick with: groups are put in order by doubles,
 * each with the most that it may be wrong by, and what two doubles cannot tell apart is answered for somebody else to decide.
 */
import { EUR_SCALE } from '#kernel/money.ts';
import { LIMB_EXPONENTS, type PieceColumn } from '../../pieces/columns.ts';
import { isTime, type OrderPosition, type SumsQuestion } from '../question.ts';

/** Of the numbers that a cost is added up of, far more than doubles lose. */
const UNSURE = 1e-12;

/** The columns `cost`, in 10^-34 EUR and below all numbers where it is `unknown`, and `unsure`. */
export function aboutCost(unknown: string, present: ReadonlySet<PieceColumn>): string[] {
  const limbs = LIMB_EXPONENTS.flatMap((exponent, limb) => {
    const column = `kosten_eur_${limb}` as PieceColumn;
    return present.has(column) ? [`${column}::DOUBLE * 1e${EUR_SCALE + exponent}`] : [];
  });
  const most = limbs.map((limb) => `abs(${limb})`);
  return [
    `if(${unknown}, '-infinity'::DOUBLE, ${['0', ...limbs].join(' + ')}) AS cost`,
    `(${['0', ...most].join(' + ')}) * ${UNSURE} AS unsure`,
  ];
}

/** The columns of times that come first in the order. */
const timesOf = ({ by, order }: SumsQuestion): string[] =>
  order === 'cost' ? [] : by.flatMap((grouping, index) => (isTime(grouping) ? [`k${index}`] : []));

/** Times before others, the first one first. */
function isBefore([time, ...rest]: readonly string[], [other, ...others]: readonly string[]): string {
  if (time === undefined) return 'false';
  return `(${time} < ${other} OR (${time} = ${other} AND ${isBefore(rest, others)}))`;
}
const areEqual = (times: readonly string[], others: readonly string[]): string =>
  ['true', ...times.map((time, index) => `${time} = ${others[index]}`)].join(' AND ');

/** Conditions on groups. */
interface Places {
  /** May stand at `from`. */
  atFrom: string;
  /** Stands behind it. */
  behind: string;
  /** SELECT of one row about the last group of the page and the one behind it, out of those that meet a condition. */
  end(table: string, condition: string): string;
  /** May stand there or before, in columns of that row. */
  untilEnd: string;
}

function placesFrom(times: readonly string[], from: OrderPosition | null): Pick<Places, 'atFrom' | 'behind'> {
  if (!from) return { atFrom: 'false', behind: 'true' };
  const about = from.cost === null ? "'-infinity'::DOUBLE" : `${Number(from.cost)}::DOUBLE`;
  const unsure = from.cost === null ? 0 : Math.abs(Number(from.cost)) * UNSURE;
  const others = from.times.map(String);
  const same = areEqual(times, others);
  const isLess = `cost + unsure < ${about} - ${unsure}`;
  const isMore = `cost - unsure > ${about} + ${unsure}`;
  return {
    atFrom: `(${same} AND NOT (${isLess}) AND NOT (${isMore}))`,
    behind: `(${isBefore(others, times)} OR (${same} AND ${isLess}))`,
  };
}

/** How the question's page is found. */
export function placesOf(question: SumsQuestion): Places {
  const times = timesOf(question);
  const ends = times.map((time) => `e.last_${time}`);
  const { limit } = question;
  const last = times.map((time) => `max(${time}) AS last_${time}`);
  return {
    ...placesFrom(times, question.from),
    // The last time of several is that of all of them: each is later the later the others are.
    end: (table, condition) =>
      limit === null
        ? 'SELECT 0 AS found'
        : `SELECT ${['count(*) AS found', 'min(cost - unsure) AS least', ...last].join(', ')} FROM (
            SELECT * FROM ${table} WHERE ${condition} ORDER BY ${[...times, 'cost DESC'].join(', ')} LIMIT ${limit + 1})`,
    untilEnd:
      limit === null
        ? 'true'
        : `(e.found <= ${limit} OR ${isBefore(times, ends)} OR (${areEqual(times, ends)} AND cost + unsure >= e.least))`,
  };
}
