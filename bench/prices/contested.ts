/** Part of `npm run prices`: fails where two lists say the same of a model, and an entry of the supplement something else without a reason. */
import { loadSupplements } from '#domains/preise/index.ts';
import { type Compared, compare } from './compare.ts';
import { readLists } from './lists.ts';

/** Entries that the lists agree against, each as a sentence. */
export function contestedEntries(all: readonly Compared[]): string[] {
  return all.flatMap(({ listed, own, others }) => {
    const differing = others.filter(
      ({ verdict, reason }) => verdict === 'differs' && reason?.right !== 'here',
    );
    const [first, second] = differing;
    if (!first?.usd || !second?.usd || !first.usd.eq(second.usd)) return [];
    const names = differing.map(({ list }) => list).join(' and ');
    return [`${listed}: ${own?.usd.toFixed()} here (${own?.source}), ${first.usd.toFixed()} in ${names}`];
  });
}

/** A plain call of each entry. */
export const entriesCompared = (): Compared[] => {
  const lists = readLists();
  return loadSupplements().flatMap(({ provider, models }) =>
    models.map(({ id }) =>
      compare({ anbieter: provider, modell: id, tokens: { eingabe: 1_000, ausgabe: 500 } }, lists),
    ),
  );
};

if (import.meta.main) {
  const found = contestedEntries(entriesCompared());
  for (const sentence of found) console.error(`two lists against an entry: ${sentence}`);
  if (found.length > 0) process.exitCode = 1;
}
