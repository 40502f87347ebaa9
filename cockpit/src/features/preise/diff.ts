/** What is different between two editions of a price book. */
import { type Content, type EntryOf, isSame, type ListName } from './book.ts';

/** One field that says something else than before, null where it says nothing. */
export interface FieldChange {
  /** The name of the field or of the rate. */
  field: string;
  before: string | null;
  after: string | null;
}

export type EntryChange = {
  [L in ListName]:
    | { list: L; kind: 'added'; entry: EntryOf<L> }
    | { list: L; kind: 'removed'; entry: EntryOf<L> }
    | { list: L; kind: 'changed'; entry: EntryOf<L>; fields: FieldChange[] };
}[ListName];

export interface Difference {
  /** What it was and is; null where it stayed. */
  gemeldete_kosten: { before: boolean; after: boolean } | null;
  entries: EntryChange[];
}

export const LISTS: ListName[] = ['preise', 'rabatte', 'freigaben'];

/** What an entry is about: of two that are about the same, the one is the other one changed. */
function keyOf(entry: EntryOf<ListName>): string {
  const { modell = null, anbieter = null, preisstufe = null } = entry as Record<string, unknown>;
  return JSON.stringify([modell, anbieter, preisstufe]).toLowerCase();
}

/** The fields of an entry as texts; rates stand beside the others. */
function fieldsOf(entry: EntryOf<ListName>): Record<string, string | null> {
  const { saetze, ...rest } = { saetze: {}, ...entry };
  const fields = Object.entries({ ...rest, ...saetze });
  return Object.fromEntries(
    fields.map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') || null : value]),
  );
}

/** The fields in which two entries differ. */
function changedFields(a: EntryOf<ListName>, b: EntryOf<ListName>): FieldChange[] {
  const [before, after] = [fieldsOf(a), fieldsOf(b)];
  return Object.keys(after)
    .filter((field) => before[field] !== after[field])
    .map((field) => ({ field, before: before[field] ?? null, after: after[field] ?? null }));
}

function diffList<L extends ListName>(list: L, before: EntryOf<L>[], after: EntryOf<L>[]): EntryChange[] {
  const gone = before.filter((entry) => !after.some((each) => isSame(each, entry)));
  const come = after.filter((entry) => !before.some((each) => isSame(each, entry)));
  const changes = come.map((entry) => {
    const place = gone.findIndex((each) => keyOf(each) === keyOf(entry));
    if (place < 0) return { list, kind: 'added', entry };
    const [earlier] = gone.splice(place, 1) as [EntryOf<L>];
    return { list, kind: 'changed', entry, fields: changedFields(earlier, entry) };
  });
  return [...changes, ...gone.map((entry) => ({ list, kind: 'removed', entry }))] as EntryChange[];
}

/** What `after` says otherwise than `before`. */
export function diffBooks(before: Content, after: Content): Difference {
  const costs = { before: before.gemeldete_kosten, after: after.gemeldete_kosten };
  return {
    gemeldete_kosten: costs.before === costs.after ? null : costs,
    entries: LISTS.flatMap((list) => diffList(list, before[list], after[list])),
  };
}

export const isNothing = ({ gemeldete_kosten, entries }: Difference): boolean =>
  gemeldete_kosten === null && entries.length === 0;
