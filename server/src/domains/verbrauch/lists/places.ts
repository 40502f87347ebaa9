/** Values in the order in which they came: each has a place, from 0. */
export class Places {
  /** The numbers of the values, by place. */
  readonly merkmale: number[];
  readonly #places = new Map<number, number>();
  readonly #first: Places | null;

  /** Begins with the values of others, which get no more from then on. */
  constructor(first: Places | null = null) {
    this.#first = first;
    this.merkmale = first ? first.merkmale.slice() : [];
  }

  has(merkmal: number): boolean {
    return this.#known(merkmal) !== undefined;
  }

  /** The place of a value, which is the next one where it has none yet. */
  of(merkmal: number): number {
    const known = this.#known(merkmal);
    if (known !== undefined) return known;
    const place = this.merkmale.push(merkmal) - 1;
    this.#places.set(merkmal, place);
    return place;
  }

  /** The next place, for what stands for no value. */
  next(): number {
    return this.merkmale.push(0) - 1;
  }

  #known(merkmal: number): number | undefined {
    const first = this.#first;
    return (first === null ? undefined : first.#known(merkmal)) ?? this.#places.get(merkmal);
  }
}
