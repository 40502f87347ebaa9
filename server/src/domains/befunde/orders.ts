/** Whether a finding orders something now, or has what it ordered hold longer: pure decisions (docs/decisions/0116). */
import type { Stufe } from '#contracts';
import type { LatestOrder } from '#domains/eingriffe/index.ts';
import { isAtLeast } from './rules.ts';

/** What is known of a finding at this moment. */
export interface Cause {
  stufe: Stufe;
  schatten: boolean;
  /** It was found for the first time, or again after it did not hold. */
  isNew: boolean;
  /** Its figures have changed, or it holds until a time to come. */
  goesOn: boolean;
  /** Until when what is ordered now holds; null: until it is lifted. */
  until: Date | null;
  /** Its latest order. */
  order: LatestOrder | undefined;
}

export type Ordering = 'none' | 'new' | { extend: string };

const isOver = (bis: string | null, now: Date): boolean => bis !== null && Date.parse(bis) <= now.getTime();

/** What a person has let go is let alone for a while. */
function isSpared({ aufgehoben_grund, gnade_bis, verdoppelt }: LatestOrder, now: Date): boolean {
  if (aufgehoben_grund !== 'hand') return false;
  return verdoppelt !== true && !isOver(gnade_bis, now);
}

/** An order is renewed once a quarter of its time is over: not with each look. */
const RENEWED_AFTER = 0.25;

function isToBeExtended({ bis }: LatestOrder, until: Date | null, now: Date): boolean {
  if (bis === null) return false;
  if (until === null) return true;
  const length = until.getTime() - now.getTime();
  return until.getTime() - Date.parse(bis) >= length * RENEWED_AFTER;
}

/** What a finding that reaches `drosseln` at least is to order. */
export function orderingOf({ stufe, schatten, isNew, goesOn, until, order }: Cause, now: Date): Ordering {
  if (!isAtLeast(stufe, 'drosseln') || (until !== null && until.getTime() <= now.getTime())) return 'none';
  if (isNew || !order || (order.schatten && !schatten)) return 'new';
  const isHeld = order.aufgehoben_am === null && !isOver(order.bis, now);
  if (isHeld && !isAtLeast(order.stufe, stufe)) return 'new';
  if (!goesOn) return 'none';
  if (!isHeld) return isSpared(order, now) ? 'none' : 'new';
  // What was only noted holds as long as it would have held: nobody knows how it would have gone on.
  return !schatten && isToBeExtended(order, until, now) ? { extend: order.eingriff_id } : 'none';
}
