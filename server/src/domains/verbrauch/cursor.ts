/** Where a page of an answer begins, as a text that nobody needs to read: the window of the first page and a position in it. */
import { toUtc, type Window } from '#kernel/zeitraum.ts';
import type { Position, Question } from './consumption.ts';

export interface Cursor {
  /** Bounds of the window, ISO 8601 in UTC. */
  von: string;
  bis: string;
  after: Position;
}

export const encodeCursor = ({ von, bis }: Window, { place, schluessel }: Position): string =>
  Buffer.from(JSON.stringify([toUtc(von), toUtc(bis), place, schluessel])).toString('base64url');

const isText = (value: unknown): value is string =>
  typeof value === 'string' && value.isWellFormed() && !value.includes('\0');

const isPlace = (value: string): boolean => /^-?\d{1,100}(\.\d{1,100})?$|^Infinity$/.test(value);

/** Throws RangeError where it is none. */
const instant = (text: string): string => Temporal.Instant.from(text).toString();

/** Null when the text is no cursor of an answer with this grouping. */
export function decodeCursor(text: string, by: Question['by']): Cursor | null {
  try {
    const [von, bis, place, schluessel, ...more] = JSON.parse(Buffer.from(text, 'base64url').toString());
    if (!isText(von) || !isText(bis) || !isText(schluessel) || more.length > 0) return null;
    const bounds = { von: instant(von), bis: instant(bis) };
    if (by === 'tag' || by === 'stunde') {
      const key = by === 'tag' ? Temporal.PlainDate.from(schluessel).toString() : instant(schluessel);
      return place === null ? { ...bounds, after: { place, schluessel: key } } : null;
    }
    return isText(place) && isPlace(place) ? { ...bounds, after: { place, schluessel } } : null;
  } catch {
    return null;
  }
}
