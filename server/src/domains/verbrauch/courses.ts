/** Groups divided by time: what each of some values, and all others together, came to in each day or hour. */
import type { DimensionName } from '#contracts';
import type { MandantTx } from '#platform/database/index.ts';
import { groupsByEngine, type RawQuestion } from './engine/consumption-by-engine.ts';
import type { Engine } from './engine/engine.ts';
import type { Group } from './engine/question.ts';
import { textOfTime } from './engine/times.ts';
import { callsOfValues, figuresWithout, type SumsRow, toSumsRow } from './groups.ts';
import { readTexts } from './store/values.ts';

/** `schluessel` null: all other values. `bucket`: `YYYY-MM-DD`, or ISO 8601 in UTC. */
export type CourseRow = SumsRow & { schluessel: string | null; bucket: string };

const timeOf = ({ keys }: Group) => keys[0] as number;

/** By time, and within it by text, all others last. */
const inOrder = (a: CourseRow, b: CourseRow) =>
  Buffer.compare(Buffer.from(a.bucket), Buffer.from(b.bucket)) ||
  Number(a.schluessel === null) - Number(b.schluessel === null) ||
  Buffer.compare(Buffer.from(a.schluessel ?? ''), Buffer.from(b.schluessel ?? ''));

/**
 * What some values of a dimension came to in each local day or hour, and all others together, in the order of time; what had no call is
 * left out. As for `groupsByEngine`; the window may be as long as the answer bears.
 */
export async function courses(
  engine: Engine,
  tx: MandantTx,
  { window, by, where = [] }: Omit<RawQuestion, 'by'> & { by: DimensionName },
  values: string[],
  bucket: 'tag' | 'stunde',
): Promise<CourseRow[]> {
  const ofValues = [...where, { dimension: by, values }];
  const answers = await groupsByEngine(engine, tx, [
    { window, by: [bucket], where },
    { window, by: [bucket, by], where: ofValues },
  ]);
  const [whole = [], parts = []] = answers.map(({ groups }) => groups);
  const texts = await readTexts(tx, [...new Set(parts.map(({ keys }) => keys[1] as number))]);
  const partsOf = Map.groupBy(parts, timeOf);
  const rowsOf = (group: Group): CourseRow[] => {
    const shown = partsOf.get(timeOf(group)) ?? [];
    const others = figuresWithout(
      group.values,
      shown.map((part) => part.values),
    );
    const at = textOfTime(bucket, timeOf(group));
    const rows = shown.map((part) => ({
      schluessel: texts.get(part.keys[1] as number) ?? '',
      bucket: at,
      ...toSumsRow(part.values),
    }));
    if (callsOfValues(others) === 0n) return rows;
    return [...rows, { schluessel: null, bucket: at, ...toSumsRow(others) }];
  };
  return whole.flatMap(rowsOf).sort(inOrder);
}
