/** So much of an answer is kept to be read when it has ended; of one that is longer its beginning and its end, where counts stand. */
const HEAD_BYTES = 4 * 1_048_576;
const TAIL_BYTES = 1_048_576;

/** The text of an answer beside the caller's; holds the pieces themselves, not copies of them. */
export class KeptText {
  readonly #head: Uint8Array[] = [];
  #tail: Uint8Array[] = [];
  #headBytes = 0;
  #tailBytes = 0;

  take(piece: Uint8Array): void {
    if (this.#headBytes < HEAD_BYTES) {
      this.#head.push(piece);
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
    for (const piece of [...this.#head, ...this.#tail]) {
      all.set(piece, length);
      length += piece.length;
    }
    return new TextDecoder().decode(all);
  }
}
