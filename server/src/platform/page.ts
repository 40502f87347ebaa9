/**
 * Pages of a list, one after the other. A page begins behind a row, which the cursor names by its sort key: what is added or
 * removed meanwhile moves no other row to another page, and a page far back costs what the first one does. A cursor is no
 * secret and grants nothing: its sender sees rows of their own Mandant behind that key.
 */
import { InvalidInput } from '#kernel/errors.ts';

/** What a list in pages is asked: rows at most, and the `weiter` of the page before. */
export interface PageQuery {
  limit: number;
  nach?: string | undefined;
}

const matching = (pattern: RegExp) => (value: unknown) =>
  typeof value === 'string' && pattern.test(value) ? value : undefined;

/** Years in which every text form has four digits, and which the database has, too. */
const storable = (text: string) => (/^(?!0000)\d{4}-/.test(text) ? text : undefined);

/** What a part of a sort key may be; undefined for what it may not. Temporal throws for what is no time. */
const PARTS = {
  text: (value: unknown) =>
    typeof value === 'string' && value.isWellFormed() && !value.includes('\0') ? value : undefined,
  uuid: matching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/),
  instant: (value: unknown) => storable(Temporal.Instant.from(String(value)).toString()),
  day: (value: unknown) => storable(Temporal.PlainDate.from(String(value)).toString()),
  /** A decimal number, or `Infinity` for what comes behind all numbers. */
  place: matching(/^-?\d{1,100}(\.\d{1,100})?$|^Infinity$/),
} satisfies Record<string, (value: unknown) => string | undefined>;

export type PartKind = keyof typeof PARTS;

/** The sort key of a row, part by part. */
export type SortKey<K extends readonly PartKind[]> = { -readonly [I in keyof K]: string };

export interface Cursor<K extends readonly PartKind[]> {
  /** The text for `weiter`. */
  write(key: SortKey<K>): string;
  /** The key that a `nach` says; null without one. Throws InvalidInput for what this list never wrote. */
  read(nach: string | undefined): SortKey<K> | null;
}

const refused = (nach: string) =>
  new InvalidInput({
    path: ['nach'],
    reason: {
      de: 'der Zeiger gehört zu keiner Antwort dieser Liste',
      en: 'the cursor belongs to no answer of this list',
    },
    input: nach,
  });

function partsOf(nach: string, list: string, kinds: readonly PartKind[]): string[] | null {
  try {
    const [name, ...values] = JSON.parse(Buffer.from(nach, 'base64url').toString());
    if (name !== list || values.length !== kinds.length) return null;
    const parts = kinds.map((kind, index) => PARTS[kind](values[index]));
    return parts.every((part) => part !== undefined) ? parts : null;
  } catch {
    return null;
  }
}

/** The cursor of a list: its name, and what its sort key is made of. */
export const cursorOf = <const K extends readonly PartKind[]>(list: string, ...kinds: K): Cursor<K> => ({
  write: (key) => Buffer.from(JSON.stringify([list, ...(key as string[])])).toString('base64url'),
  read(nach) {
    if (nach === undefined) return null;
    const parts = partsOf(nach, list, kinds);
    if (!parts) throw refused(nach);
    return parts as unknown as SortKey<K>;
  },
});

/**
 * The rows of a page, of which one more was read than it holds: that one tells whether there is a next page (`hasMore` where
 * something else does, too).
 */
export function pageOf<Row, K extends readonly PartKind[]>(
  rows: Row[],
  limit: number,
  cursor: Cursor<K>,
  keyOf: (row: Row) => SortKey<K>,
  hasMore = rows.length > limit,
): { rows: Row[]; weiter: string | null } {
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  return { rows: shown, weiter: hasMore && last ? cursor.write(keyOf(last)) : null };
}
