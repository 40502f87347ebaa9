/** Where a page of consumption begins: the window of the first page and a position in it. */
import { toUtc, type Window } from '#kernel/zeitraum.ts';
import { cursorOf } from '#platform/page.ts';
import type { Position, Question } from './consumption.ts';

type By = NonNullable<Question['by']>;

const byTag = cursorOf('verbrauch_tag', 'instant', 'instant', 'day');
const byStunde = cursorOf('verbrauch_stunde', 'instant', 'instant', 'instant');
const byValue = cursorOf('verbrauch', 'instant', 'instant', 'place', 'text');

const bucketsBy = (by: By) => (by === 'tag' ? byTag : by === 'stunde' ? byStunde : null);

/** Where the page behind a position of an answer grouped by `by` begins. */
export function writeCursor(by: By, { von, bis }: Window, { place, schluessel }: Position): string {
  const bounds = [toUtc(von), toUtc(bis)] as const;
  return (
    bucketsBy(by)?.write([...bounds, schluessel]) ??
    byValue.write([...bounds, place ?? 'Infinity', schluessel])
  );
}

/** What a cursor says: the bounds of its window (ISO 8601 in UTC) and a position. Null without one. Throws InvalidInput. */
export function readCursor(
  by: By,
  nach: string | undefined,
): { window: { von: string; bis: string }; after: Position } | null {
  const buckets = bucketsBy(by);
  if (buckets) {
    const [von, bis, schluessel] = buckets.read(nach) ?? [];
    return von && bis && schluessel ? { window: { von, bis }, after: { place: null, schluessel } } : null;
  }
  const [von, bis, place, schluessel] = byValue.read(nach) ?? [];
  const isThere = von && bis && place && schluessel !== undefined;
  return isThere ? { window: { von, bis }, after: { place, schluessel } } : null;
}
