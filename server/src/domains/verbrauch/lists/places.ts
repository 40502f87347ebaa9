/** Values in the order in which they came: each has a place, from 0. */
export class Places {
  /** The numbers of the values, by place. */
  readonly merkmale: number[] = [];
  readonly #places = new Map<number, number>();

  has(merkmal: number): boolean {
    return this.#places.has(merkmal);
  }

  /** The place of a value, which is the next one where it has none yet. */
  of(merkmal: number): number {
    const known = this.#places.get(merkmal);
    if (known !== undefined) return known;
    const place = this.merkmale.push(merkmal) - 1;
    this.#places.set(merkmal, place);
    return place;
  }

  /** The next place, for what stands for no value. */
  next(): number {
    return this.merkmale.push(0) - 1;
  }
}
