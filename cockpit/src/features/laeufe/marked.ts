/** Steps of a run that an address marks: `?schritte=3-7,12`. */

export type Marked = (number: number) => boolean;

const pattern = /^\d{1,9}(-\d{1,9})?(,\d{1,9}(-\d{1,9})?)*$/;

/** What an address says, when it says steps; else undefined. */
export const stepsOf = (value: unknown): string | undefined => {
  const text = String(value ?? '');
  return text.length <= 2_000 && pattern.test(text) ? text : undefined;
};

const rangesIn = (text: string) =>
  text.split(',').map((part) => {
    const [from = 0, to = from] = part.split('-').map(Number);
    return { from, to };
  });

/** Tells of a step whether it is marked; undefined where none is. */
export function markedBy(text: string | undefined): Marked | undefined {
  if (text === undefined) return undefined;
  const ranges = rangesIn(text);
  return (number) => ranges.some(({ from, to }) => number >= from && number <= to);
}
