/** In which turns what waits is counted. No input or output here. */

/** What waits of one Mandant. */
export interface Waiting {
  mandant: string;
  ereignisse: number;
  /** Bytes, unpacked. */
  umfang: number;
}

/** Mandanten that are counted in one turn: one with much to count, or several with little. */
export interface Turn {
  mandanten: string[];
  isLittle: boolean;
}

/** Up to this much is little: a transaction of its own would cost more than what it counts. */
const LITTLE_EVENTS = 500;
const LITTLE_BYTES = 512 * 1024;
/**
 * Little of many is counted together up to this much: one that fails takes as many along to be counted again, and the longer a turn
 * takes, the longer all others wait for theirs.
 */
const MOST_EVENTS = 5_000;
const MOST_BYTES = 4 * 1024 * 1024;
const MOST_MANDANTEN = 250;

/** Turns of Mandanten with much at a time, at most … */
const MUCH_AT_ONCE = 2;
/** … and beside them one for those with little, who never wait for others' much; two where nobody has much. */
const LITTLE_BESIDE_MUCH = 1;
const LITTLE_AT_ONCE = 2;
const AT_ONCE = 3;
/**
 * Milliseconds from one round of those with little to the next: of many who send seldom there is always one who has just sent. Also from
 * one look at what waits to the next, where no turn ends before.
 */
export const ROUND_EVERY = 200;
/** Mandanten of which the time of their last turn is remembered, at most. */
const MOST_REMEMBERED = 20_000;

const isLittle = ({ ereignisse, umfang }: Waiting): boolean =>
  ereignisse <= LITTLE_EVENTS && umfang <= LITTLE_BYTES;

/** Turns of Mandanten with little, in their order; `together`: whether several may be counted in one. */
export function planLittle(waiting: readonly Waiting[], together = true): string[][] {
  const turns: string[][] = [];
  let open: { mandanten: string[]; ereignisse: number; umfang: number } | null = null;
  for (const { mandant, ereignisse, umfang } of waiting) {
    const isFull =
      open !== null &&
      (!together ||
        open.ereignisse + ereignisse > MOST_EVENTS ||
        open.umfang + umfang > MOST_BYTES ||
        open.mandanten.length >= MOST_MANDANTEN);
    if (open === null || isFull) {
      open = { mandanten: [], ereignisse: 0, umfang: 0 };
      turns.push(open.mandanten);
    }
    open.mandanten.push(mandant);
    open.ereignisse += ereignisse;
    open.umfang += umfang;
  }
  return turns;
}

/**
 * Who has a turn, and who is next: of those with much whoever had the last turn longest ago, of those with little whoever has
 * waited longest.
 */
export class Turns {
  readonly #together: boolean;
  readonly #roundEvery: number;
  readonly #underWay = new Set<Turn>();
  readonly #taken = new Set<string>();
  /** Number of the last turn, by Mandant with much, the oldest first. */
  readonly #lastTurn = new Map<string, number>();
  #turn = 0;
  /** Who must not begin before that time. */
  readonly #heldUntil = new Map<string, number>();
  /** Those with little who have yet to have their turn in the round that has begun. */
  #round = new Set<string>();
  #nextRound = Number.NEGATIVE_INFINITY;
  #others: readonly Waiting[] = [];

  /** `together`: whether several Mandanten may be counted in one turn. `roundEvery`: `ROUND_EVERY`, or 0. */
  constructor(together: boolean, roundEvery: number) {
    this.#together = together;
    this.#roundEvery = roundEvery;
  }

  /** Whether somebody waits who has no turn, as far as is known. */
  get othersWait(): boolean {
    return this.#others.length > 0;
  }

  /** The turns that begin now, by what waits, who has waited longest first. */
  begin(waiting: readonly Waiting[], now: number): Turn[] {
    for (const [mandant, until] of this.#heldUntil) if (until <= now) this.#heldUntil.delete(mandant);
    const free = waiting.filter(({ mandant }) => !this.#taken.has(mandant) && !this.#heldUntil.has(mandant));
    const begun: Turn[] = [];
    const much = free.filter((each) => !isLittle(each));
    const little = this.#inRound(free.filter(isLittle), now);
    for (const { mandant } of this.#inOrder(much)) {
      if (this.#count(false) >= MUCH_AT_ONCE || this.#underWay.size >= AT_ONCE) break;
      this.#remember(mandant);
      begun.push(this.#add([mandant], false));
    }
    for (const mandanten of planLittle(little, this.#together)) {
      const most = this.#count(false) > 0 ? LITTLE_BESIDE_MUCH : LITTLE_AT_ONCE;
      if (this.#count(true) >= most || this.#underWay.size >= AT_ONCE) break;
      begun.push(this.#add(mandanten, true));
    }
    // Not those whose round has not begun: they wait for no turn of others.
    this.#others = [...much, ...little].filter(({ mandant }) => !this.#taken.has(mandant));
    return begun;
  }

  /** A turn is over; its Mandanten have no other before `heldUntil`. */
  end(turn: Turn, heldUntil?: number): void {
    this.#underWay.delete(turn);
    for (const mandant of turn.mandanten) {
      this.#taken.delete(mandant);
      if (heldUntil !== undefined) this.#heldUntil.set(mandant, heldUntil);
    }
  }

  /** Those of the round that had no turn yet; where all had theirs, all there are once it is time for the next one. */
  #inRound(little: Waiting[], now: number): Waiting[] {
    const left = little.filter(({ mandant }) => this.#round.has(mandant));
    if (left.length > 0 || little.length === 0 || now < this.#nextRound) return left;
    this.#round = new Set(little.map(({ mandant }) => mandant));
    this.#nextRound = now + this.#roundEvery;
    return little;
  }

  #inOrder(much: Waiting[]): Waiting[] {
    const last = ({ mandant }: Waiting) => this.#lastTurn.get(mandant) ?? 0;
    return much.sort((a, b) => last(a) - last(b));
  }

  #count(little: boolean): number {
    let count = 0;
    for (const turn of this.#underWay) if (turn.isLittle === little) count += 1;
    return count;
  }

  #add(mandanten: string[], little: boolean): Turn {
    const turn = { mandanten, isLittle: little };
    this.#underWay.add(turn);
    for (const mandant of mandanten) {
      this.#taken.add(mandant);
      this.#round.delete(mandant);
    }
    return turn;
  }

  #remember(mandant: string): void {
    this.#turn += 1;
    this.#lastTurn.delete(mandant);
    this.#lastTurn.set(mandant, this.#turn);
    const [oldest] = this.#lastTurn.keys();
    if (oldest !== undefined && this.#lastTurn.size > MOST_REMEMBERED) this.#lastTurn.delete(oldest);
  }
}
