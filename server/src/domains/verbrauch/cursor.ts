/** Where a page of consumption begins: the window of the first page and a position in it. */
import { toUtc, type Window } from '#kernel/zeitraum.ts';
import { cursorOf, type PartKind } from '#platform/page.ts';
import type { GroupPosition } from './engine/consumption-by-engine.ts';
import type { Grouping } from './engine/question.ts';

interface Begin {
  /** ISO 8601 in UTC. */
  window: { von: string; bis: string };
  after: GroupPosition;
}

const TIME_KINDS: Partial<Record<Grouping, PartKind>> = { tag: 'day', stunde: 'instant' };

const isByTimeAlone = ([only, another]: readonly Grouping[]): boolean =>
  !another && only !== undefined && only in TIME_KINDS;

/** Texts are not read, times are where they put groups in order. */
function keysOf(by: readonly Grouping[]): PartKind[] {
  const times = by.flatMap((grouping) => TIME_KINDS[grouping] ?? []);
  return times.length === by.length ? times : by.map(() => 'text');
}

function cursorBy(by: readonly Grouping[]) {
  const isByTime = isByTimeAlone(by);
  const name = isByTime ? `verbrauch_${by[0]}` : by.length === 1 ? 'verbrauch' : `verbrauch_${by.length}`;
  const kinds: PartKind[] = ['instant', 'instant', ...(isByTime ? [] : ['place' as const]), ...keysOf(by)];
  return cursorOf<readonly PartKind[]>(name, ...kinds);
}

/** Where the page behind a position of an answer grouped by `by` begins. */
export function writeCursor(
  by: readonly Grouping[],
  { von, bis }: Window,
  { place, schluessel }: GroupPosition,
): string {
  const key = isByTimeAlone(by) ? schluessel : [place ?? 'Infinity', ...schluessel];
  return cursorBy(by).write([toUtc(von), toUtc(bis), ...key]);
}

/** What a cursor says. Null without one. Throws InvalidInput. */
export function readCursor(by: readonly Grouping[], nach: string | undefined): Begin | null {
  const [von, bis, ...key] = cursorBy(by).read(nach) ?? [];
  if (von === undefined || bis === undefined) return null;
  const window = { von, bis };
  if (isByTimeAlone(by)) return { window, after: { place: null, schluessel: key } };
  const [place = null, ...schluessel] = key;
  return { window, after: { place, schluessel } };
}
