/** Whether calls fit into their limits: pure decisions on exact amounts. */
import type { Eur } from '#kernel/money.ts';
import type { HardLimit } from './hard-limits.ts';
import { SHARE } from './limits.ts';

/** A hard limit as it stands for one object: an agent, a run, all calls. */
export interface LimitStanding {
  limit: HardLimit;
  /** As reservations keep it (`tags.ts`). */
  objekt: string;
  spent: Eur;
  /** What it has begun with, ISO 8601. */
  begins: string;
  /** When it begins anew, ISO 8601; null where no time does that by itself. */
  ends: string | null;
}

export interface Wanted {
  tags: readonly string[];
  /** The highest that one call costs; null where nothing bounds it. */
  highest: Eur | null;
  vorrat: number;
  standings: readonly LimitStanding[];
}

export type Decision =
  | { kind: 'granted'; amount: Eur | null }
  | { kind: 'refused'; by: LimitStanding; reserved: Eur };

const least = (a: bigint, b: bigint) => (a < b ? a : b);
const most = (a: bigint, b: bigint) => (a > b ? a : b);

/**
 * Decides in order; what is granted is reserved for those after it. `reserved`: what is by object, grows with what is granted.
 */
export function decide(wanted: readonly Wanted[], reserved: Map<string, Eur>): Decision[] {
  const reservedOf = (objekt: string): bigint => reserved.get(objekt) ?? 0n;
  const roomOf = ({ limit, objekt, spent }: LimitStanding): bigint => limit.most - spent - reservedOf(objekt);
  return wanted.map(({ tags, highest, vorrat, standings }): Decision => {
    const [narrowest] = standings.toSorted((a, b) => (roomOf(a) < roomOf(b) ? -1 : 1));
    if (!narrowest) return { kind: 'granted', amount: null };
    const room = roomOf(narrowest);
    const isRoom = highest === null ? room > 0n : room >= highest;
    if (!isRoom) return { kind: 'refused', by: narrowest, reserved: reservedOf(narrowest.objekt) as Eur };
    if (highest === null || highest === 0n) return { kind: 'granted', amount: null };
    const amount = most(highest, least(highest * BigInt(vorrat), room / SHARE)) as Eur;
    for (const tag of tags) reserved.set(tag, (reservedOf(tag) + amount) as Eur);
    return { kind: 'granted', amount };
  });
}
