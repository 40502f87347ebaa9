/** Blocks of money that this process may spend. Times are milliseconds of the monotonic clock. */
import { eurText } from './eur.ts';

/** Calls begin from a block for so long; it lapses later, so that they can end and be counted. */
const USABLE_MS = 5 * 60_000;
/** What is asked for with it. */
export const LAPSES_AFTER_S = 900;
/** A block that no call takes from is given back after this. */
export const IDLE_MS = 10_000;

interface Block {
  id: string;
  rest: bigint;
  until: number;
  usedAt: number;
}

/** A call's part of a block: booked with its event, or given back. */
export class ReservedShare {
  readonly id: string;
  readonly amount: bigint;
  readonly #giveBack: (amount: bigint) => void;
  #isOver = false;

  constructor(id: string, amount: bigint, giveBack: (amount: bigint) => void) {
    this.id = id;
    this.amount = amount;
    this.#giveBack = giveBack;
  }

  /** For the free data of the call's event, whose count takes it off. */
  booked(): Record<string, unknown> {
    this.#isOver = true;
    return { reservierung: this.id, reserviert_eur: eurText(this.amount) };
  }

  /** The call was not made, or costs nothing. */
  giveBack(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#giveBack(this.amount);
  }
}

export interface GivenBack {
  reservierung_id: string;
  betrag_eur: string;
}

export class Blocks {
  readonly #blocks = new Map<string, Block[]>();
  #back: { id: string; amount: bigint }[] = [];

  /** A part of a block of this name; null where none has so much left. */
  take(key: string, amount: bigint, now: number): ReservedShare | null {
    const block = this.#blocks.get(key)?.find(({ rest, until }) => rest >= amount && until > now);
    if (block === undefined) return null;
    block.rest -= amount;
    block.usedAt = now;
    return this.#part(key, block.id, amount);
  }

  /** A new block, and the part of the call that it was asked for. */
  add(
    key: string,
    { id, amount }: { id: string; amount: bigint },
    first: bigint,
    now: number,
  ): ReservedShare {
    const blocks = this.#blocks.get(key) ?? [];
    blocks.push({ id, rest: amount - first, until: now + USABLE_MS, usedAt: now });
    this.#blocks.set(key, blocks);
    return this.#part(key, id, first);
  }

  /** Ends blocks that are empty, old or idle; all with `Infinity`. */
  sweep(now: number): void {
    for (const [key, blocks] of this.#blocks) {
      const kept = blocks.filter(
        ({ rest, until, usedAt }) => rest > 0n && until > now && usedAt + IDLE_MS > now,
      );
      for (const block of blocks)
        if (!kept.includes(block) && block.rest > 0n) this.#back.push({ id: block.id, amount: block.rest });
      if (kept.length === 0) this.#blocks.delete(key);
      else this.#blocks.set(key, kept);
    }
  }

  /** Whether anything is held, or to be given back. */
  isEmpty(): boolean {
    return this.#blocks.size === 0 && this.#back.length === 0;
  }

  /** What is to be given back, once. */
  takeBack(): GivenBack[] {
    const back = this.#back.splice(0, 1_000);
    return back.map(({ id, amount }) => ({ reservierung_id: id, betrag_eur: eurText(amount) }));
  }

  hasBack(): boolean {
    return this.#back.length > 0;
  }

  #part(key: string, id: string, amount: bigint): ReservedShare {
    return new ReservedShare(id, amount, (rest) => {
      const block = this.#blocks.get(key)?.find((each) => each.id === id);
      if (block === undefined) this.#back.push({ id, amount: rest });
      else block.rest += rest;
    });
  }
}
