/**
 * What days tell apart whose pieces are made of their sums (docs/decisions/0166): every hour as a whole and by each dimension, the whole
 * day by two of them where it was listed, and nothing else.
 */
import { sql } from 'kysely';
import { type AnyDimensionName, isOwnDimension, numberOfDimension } from '#contracts';
import { InvalidInput } from '#kernel/errors.ts';
import type { Sentence } from '#kernel/sentence.ts';
import type { Window } from '#kernel/zeitraum.ts';
import type { MandantTx } from '#platform/database/index.ts';
import { isTime, type SumsQuestion } from './question.ts';

export type AskedApart = Pick<SumsQuestion, 'by' | 'filters'>;

const PAIR = 2;

/** The dimensions that a question names, in the order of their numbers. */
export function dimensionsOf({ by, filters }: AskedApart): AnyDimensionName[] {
  const grouped = by.flatMap((grouping) => (isTime(grouping) ? [] : [grouping]));
  return [...new Set([...grouped, ...filters.map(({ dimension }) => dimension)])].sort(
    (a, b) => numberOfDimension(a) - numberOfDimension(b),
  );
}

/** What no sums were ever kept by; null where they may be. */
function neverKept({ by }: AskedApart, dimensions: readonly AnyDimensionName[]): Sentence | null {
  if (dimensions.some(isOwnDimension)) return { de: 'eigenen Merkmalen', en: 'dimensions of your own' };
  if (by.includes('minute')) return { de: 'Minuten', en: 'minutes' };
  if (dimensions.length > PAIR)
    return { de: 'mehr als zwei Merkmalen zugleich', en: 'more than two dimensions at once' };
  if (dimensions.length === PAIR && by.includes('stunde'))
    return { de: 'zwei Merkmalen und Stunden zugleich', en: 'two dimensions and hours at once' };
  return null;
}

interface SummedDay {
  tag: string;
  paare: boolean;
}

/** Local days with calls in the window whose pieces are made of their sums. */
async function summedDays(tx: MandantTx, { von, bis }: Window): Promise<SummedDay[]> {
  const last = bis.subtract({ nanoseconds: 1 }).toPlainDate();
  const { rows } = await sql<SummedDay>`
    SELECT tag, stuecke_dimensionen >= ${sql.lit(PAIR)} AS paare FROM verbrauch_tagesstand
    WHERE mandant_id = ${tx.mandant} AND tag >= ${von.toPlainDate().toString()}::date AND tag <= ${last.toString()}::date
      AND stuecke_dimensionen IS NOT NULL
    ORDER BY tag`.execute(tx);
  return rows;
}

/** The days that the window has a part of alone: its first one, its last one. */
const cutDays = ({ von, bis }: Window): string[] =>
  [von, bis].filter((at) => !at.equals(at.startOfDay())).map((at) => at.toPlainDate().toString());

const notKept = ({ von }: Window, days: readonly SummedDay[], by: Sentence) => {
  const [first, last] = [days[0]?.tag, days.at(-1)?.tag];
  return new InvalidInput({
    path: ['von'],
    input: von.toInstant().toString(),
    reason: {
      de: `von Aufrufen vom ${first} bis ${last} gibt es nur noch Summen, und keine nach ${by.de}`,
      en: `of calls from ${first} to ${last} there are sums alone, and none by ${by.en}`,
    },
  });
};

/** Throws InvalidInput where days of the window do not tell apart what is asked: none of them can be answered for in part. */
export async function requireToldApart(tx: MandantTx, window: Window, asked: AskedApart): Promise<void> {
  const dimensions = dimensionsOf(asked);
  const never = neverKept(asked, dimensions);
  if (!never && dimensions.length < PAIR) return;
  const days = await summedDays(tx, window);
  if (days.length === 0) return;
  if (never) throw notKept(window, days, never);
  const unlisted = days.filter(({ paare }) => !paare);
  if (unlisted.length > 0)
    throw notKept(window, unlisted, { de: 'zwei Merkmalen zugleich', en: 'two dimensions at once' });
  const cut = cutDays(window);
  const inPart = days.filter(({ tag }) => cut.includes(tag));
  if (inPart.length > 0)
    throw notKept(window, inPart, {
      de: 'zwei Merkmalen zugleich für Teile eines Tages',
      en: 'two dimensions at once for parts of a day',
    });
}
