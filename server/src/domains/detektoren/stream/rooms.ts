/**
 * What may still be spent before a limit of money can be crossed, as marks say what was spent: while there is room nobody asks for sums.
 * Whole millionths of a EUR, rounded so that there is never more room than there is. Bounded, in the memory of the process that takes the
 * marks; where it has not seen all, it knows of no room. No input or output here.
 */
import type { MarksOfMandant } from './marks.ts';

/** All calls of the Mandant together; no agent has this key. */
export const ALL_TOGETHER = '';

/** By limit, and by agent or all together. */
type RoomsOfMandant = Map<string, Map<string, number>>;

interface Known {
  /** Number of the next mark. */
  next: number;
  rooms: RoomsOfMandant;
}

/** Agents of limits that are remembered; beyond it all is forgotten, and asked for again. */
const MOST = 200_000;

/** What was spent since, by agent and all together. */
function spentIn({ agenten, kosten }: { agenten: readonly string[]; kosten: readonly number[] }) {
  const spent = new Map<string, number>();
  let all = 0;
  for (const [place, agent] of agenten.entries()) {
    const amount = kosten[place] as number;
    spent.set(agent, (spent.get(agent) ?? 0) + amount);
    all += amount;
  }
  return spent.set(ALL_TOGETHER, all);
}

export class LimitRooms {
  #known = new Map<string, Known>();
  #size = 0;

  /** Takes off what marks say was spent; after a gap between them, or where they do not say it, nothing is known of the Mandant any more. */
  note({
    mandant,
    nummern,
    agenten,
    kosten,
  }: Pick<MarksOfMandant, 'mandant' | 'nummern' | 'agenten' | 'kosten'>): void {
    const [first, last] = [Math.min(...nummern), Math.max(...nummern)];
    const before = this.#known.get(mandant);
    const goesOn = kosten !== null && before?.next === first && last - first + 1 === nummern.length;
    if (!goesOn) {
      this.#forget(mandant, last + 1);
      return;
    }
    before.next = last + 1;
    if (before.rooms.size === 0) return;
    const spent = spentIn({ agenten, kosten });
    for (const rooms of before.rooms.values())
      for (const [each, amount] of spent) {
        const room = rooms.get(each);
        if (room !== undefined) rooms.set(each, room - amount);
      }
  }

  /** Those of agents, or of all together, that the limit may be crossed by. */
  withoutRoom(mandant: string, limit: string, objects: readonly string[]): string[] {
    const rooms = this.#known.get(mandant)?.rooms.get(limit);
    return objects.filter((each) => !((rooms?.get(each) ?? -1) >= 0));
  }

  /** Remembers the room there is, as sums say that hold at least what was spent by the marks that were noted. */
  learn(mandant: string, limit: string, room: ReadonlyMap<string, number>): void {
    if (this.#size >= MOST) {
      for (const known of this.#known.values()) known.rooms.clear();
      this.#size = 0;
    }
    const known = this.#known.get(mandant);
    if (!known) return;
    const rooms = known.rooms.get(limit) ?? new Map<string, number>();
    known.rooms.set(limit, rooms);
    const before = rooms.size;
    for (const [each, amount] of room) rooms.set(each, amount);
    this.#size += rooms.size - before;
  }

  #forget(mandant: string, next: number): void {
    for (const rooms of this.#known.get(mandant)?.rooms.values() ?? []) this.#size -= rooms.size;
    this.#known.delete(mandant);
    if (this.#known.size >= MOST) this.#known.clear();
    this.#known.set(mandant, { next, rooms: new Map() });
  }
}
