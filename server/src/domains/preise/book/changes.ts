/** What is different between two editions of a price book, for the audit log. */
import { isDeepStrictEqual } from 'node:util';
import type { BookContent } from './content.ts';

/** Entries that an entry of the audit log names one by one; of more it says how many they are. */
const MOST_NAMED = 20;

const LISTS = ['preise', 'rabatte', 'freigaben'] as const;

type Side = Record<string, unknown>;

const withoutNulls = (value: object): object =>
  Object.fromEntries(
    Object.entries(value)
      .filter(([, each]) => each !== null)
      .map(([key, each]) =>
        each !== null && typeof each === 'object' && !Array.isArray(each)
          ? [key, withoutNulls(each)]
          : [key, each],
      ),
  );

const named = (entries: readonly object[]) =>
  entries.length > MOST_NAMED ? `${entries.length} Einträge` : entries.map(withoutNulls);

/** What only the one and what only the other says. */
export function changesOf(before: BookContent, after: BookContent): { vorher: Side; nachher: Side } {
  const vorher: Side = {};
  const nachher: Side = {};
  if (before.gemeldete_kosten !== after.gemeldete_kosten) {
    vorher.gemeldete_kosten = before.gemeldete_kosten;
    nachher.gemeldete_kosten = after.gemeldete_kosten;
  }
  for (const list of LISTS) {
    const only = (own: readonly object[], other: readonly object[]) =>
      own.filter((entry) => !other.some((each) => isDeepStrictEqual(each, entry)));
    const gone = only(before[list], after[list]);
    const come = only(after[list], before[list]);
    if (gone.length > 0) vorher[list] = named(gone);
    if (come.length > 0) nachher[list] = named(come);
  }
  return { vorher, nachher };
}
