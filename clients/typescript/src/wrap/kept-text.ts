/** So much of an answer is kept to be read when it has ended; of one that is longer its beginning and its end, where counts stand. */
const HEAD_BYTES = 4 * 1_048_576;
const TAIL_BYTES = 1_048_576;
/** Pieces that are smaller are copied after each other: a small one costs several times its bytes, for as long as it is kept. */
const SMALL_BYTES = 4_096;
/** The first room for them; each further one has twice as much. */
const FIRST_ROOM = 1_024;
const MOST_ROOM = 65_536;

/** The text of an answer beside the caller's. */
export class KeptText {
  readonly #head: Uint8Array[] = [];
  #tail: Uint8Array[] = [];
  #headBytes = 0;
  #tailBytes = 0;
  /** What small pieces are copied into, and how much of it they fill. */
  #room: Uint8Array = new Uint8Array(0);
  #filled = 0;

  take(piece: Uint8Array): void {
    if (this.#headBytes < HEAD_BYTES) {
      this.#keepHead(piece);
      this.#headBytes += piece.length;
      return;
    }
    this.#tail.push(piece);
    this.#tailBytes += piece.length;
    while (this.#tail.length > 1 && this.#tailBytes - (this.#tail[0]?.length ?? 0) >= TAIL_BYTES) {
      this.#tailBytes -= this.#tail[0]?.length ?? 0;
      this.#tail = this.#tail.slice(1);
    }
  }

  /** Frames of binary streams become text around the JSON in them. */
  text(): string {
    const all = new Uint8Array(this.#headBytes + this.#tailBytes);
    let length = 0;
    for (const piece of [...this.#head, this.#room.subarray(0, this.#filled), ...this.#tail]) {
      all.set(piece, length);
      length += piece.length;
    }
    return new TextDecoder().decode(all);
  }

  #keepHead(piece: Uint8Array): void {
    const isSmall = piece.length < SMALL_BYTES;
    if (!isSmall || piece.length > this.#room.length - this.#filled) {
      if (this.#filled > 0) this.#head.push(this.#room.subarray(0, this.#filled));
      this.#room = isSmall
        ? new Uint8Array(Math.max(piece.length, Math.min(this.#room.length * 2, MOST_ROOM), FIRST_ROOM))
        : new Uint8Array(0);
      this.#filled = 0;
    }
    if (isSmall) {
      this.#room.set(piece, this.#filled);
      this.#filled += piece.length;
    } else this.#head.push(piece);
  }
}
