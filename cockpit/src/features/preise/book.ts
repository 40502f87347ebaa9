/** A price book as it is changed: always as a whole, entry by entry. */
import type { InputOf } from '../../api/operations.ts';
import type { Preisbuch } from '../../api/types.ts';

/** What a book says, without its number and its author. */
export type Content = Pick<Preisbuch, 'gemeldete_kosten' | 'preise' | 'rabatte' | 'freigaben'>;

export type ListName = 'preise' | 'rabatte' | 'freigaben';
export type EntryOf<L extends ListName> = Content[L][number];

export const EMPTY: Content = { gemeldete_kosten: false, preise: [], rabatte: [], freigaben: [] };

export const contentOf = ({ gemeldete_kosten, preise, rabatte, freigaben }: Content): Content => ({
  gemeldete_kosten,
  preise,
  rabatte,
  freigaben,
});

/** What is sent to replace an edition. */
export const toInput = (fassung: number, content: Content): InputOf<'preiseSetzen'>['body'] => ({
  fassung,
  ...contentOf(content),
});

const textOf = (value: unknown) => JSON.stringify(value);

/** Whether two entries say the same; those of the service have their fields in one order. */
export const isSame = (a: unknown, b: unknown): boolean => textOf(a) === textOf(b);

/**
 * The content with one entry in place of another: `before` null adds, `after` null removes. An entry is found by what it says, since the
 * book may have been read anew meanwhile; one that is no longer there is added.
 */
export function withEntry<L extends ListName>(
  content: Content,
  list: L,
  before: EntryOf<L> | null,
  after: EntryOf<L> | null,
): Content {
  const entries = content[list] as EntryOf<L>[];
  const place = before === null ? -1 : entries.findIndex((entry) => isSame(entry, before));
  const next = after === null ? [] : [after];
  const changed =
    place < 0 ? [...entries, ...next] : [...entries.slice(0, place), ...next, ...entries.slice(place + 1)];
  return { ...contentOf(content), [list]: changed };
}
