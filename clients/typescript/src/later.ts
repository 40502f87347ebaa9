/** More than this never wait: where a program gives no other turn, they are done at once. */
const MOST = 100;

/**
 * What is done once the caller has gone on: to convert an answer takes longer than all the rest, and nobody waits for it. Each piece of work in
 * a turn of its own, so that the host's come in between; at once on runtimes without such turns.
 */
export class Later {
  readonly #onWork: () => void;
  readonly #work: (() => void)[] = [];
  #hasTurn = false;

  /** `onWork`: there is something to lose from now on. */
  constructor(onWork: () => void) {
    this.#onWork = onWork;
  }

  /** `work` does not throw. */
  add(work: () => void): void {
    this.#work.push(work);
    this.#onWork();
    if (typeof setImmediate !== 'function' || this.#work.length > MOST) this.settle();
    else this.#takeTurn();
  }

  /** Does all that waits, in its order. */
  settle(): void {
    for (const work of this.#work.splice(0)) work();
  }

  #takeTurn(): void {
    if (this.#hasTurn || this.#work.length === 0) return;
    this.#hasTurn = true;
    setImmediate(() => {
      this.#hasTurn = false;
      this.#work.shift()?.();
      this.#takeTurn();
    });
  }
}
