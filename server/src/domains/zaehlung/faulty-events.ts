/** Which events of a batch cannot be counted, found by trying parts of it. No input or output here. */

/** Tries to count these events: resolves with why they cannot be counted, null when they can. */
export type TryEvents = (events: readonly number[]) => Promise<unknown>;

export interface Faulty {
  events: number[];
  /** Why the first of them cannot be counted. */
  reason: unknown;
}

/** One faulty event among 10,000 takes 28 trials at most. Beyond these untried events are taken for faulty. */
export const MOST_TRIALS = 150;
/** Failed parts, down to single events, after which the fault is no matter of an event where none could be counted. */
export const FUTILE = 30;

const halves = <T>(list: readonly T[]): [T[], T[]] => {
  const middle = list.length >> 1;
  return [list.slice(0, middle), list.slice(middle)];
};

interface FailedPart {
  events: readonly number[];
  reason: unknown;
}

/**
 * The faulty ones of events that cannot be counted together: halves are tried, then halves of those that fail. Null when no
 * part of them can be counted, or each part can, so that it is no matter of single events. `futile`: after how many failures
 * with nothing counted to give up; both halves have been tried after two.
 */
export async function findFaulty(
  events: readonly number[],
  tryEvents: TryEvents,
  futile = FUTILE,
): Promise<Faulty | null> {
  const found: Faulty = { events: [], reason: null };
  const failed: FailedPart[] = [{ events, reason: null }];
  let trials = 0;
  let passed = 0;
  for (let part = failed.pop(); part; part = failed.pop()) {
    if (passed === 0 && trials >= futile) return null;
    if (part.events.length === 1 || trials >= MOST_TRIALS) {
      found.events.push(...part.events);
      found.reason ??= part.reason;
      continue;
    }
    for (const half of halves(part.events).reverse()) {
      const reason = await tryEvents(half);
      trials += 1;
      if (reason === null) passed += 1;
      else failed.push({ events: half, reason });
    }
  }
  return passed === 0 || found.events.length === 0 ? null : found;
}
