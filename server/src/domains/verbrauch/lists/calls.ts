/** Lists of all pairs of dimensions, made of the calls of a stretch of a day. */
import { DIMENSION_NAMES, DIMENSIONS, FIGURE_NAMES, type FigureName } from '#contracts';
import { GroupSums } from './group-sums.ts';
import { ListWriter } from './list.ts';
import { Places } from './places.ts';

export interface List {
  /** The value whose calls they are. */
  merkmal: number;
  /** Number of the dimension whose values are listed. */
  nach: number;
  liste: Buffer;
}

const NUMBERS = DIMENSION_NAMES.map((name) => DIMENSIONS[name].number);
/** All pairs of dimensions, each once. */
const PAIRS = NUMBERS.flatMap((_, first) =>
  NUMBERS.slice(first + 1).map((_, index) => [first, first + 1 + index] as const),
);

export class Calls {
  /** A group for each call. */
  readonly #figures = new GroupSums();
  readonly #values = NUMBERS.map(() => new Places());
  /** By dimension the place of each call's value. */
  readonly #places: number[][] = NUMBERS.map(() => []);

  get count(): number {
    return this.#figures.groups;
  }

  /** Adds a call: the numbers of its values in the order of the dimensions, and what it adds to figures as plain decimals. */
  add(merkmale: readonly number[], row: Partial<Record<FigureName, string | null>>): void {
    this.#figures.addRow(this.#figures.begin(), row);
    for (const [dimension, values] of this.#values.entries())
      (this.#places[dimension] as number[]).push(values.of(merkmale[dimension] as number));
  }

  *lists(): Generator<List> {
    for (const [first, second] of PAIRS) yield* this.#ofPair(first, second);
  }

  *#ofPair(first: number, second: number): Generator<List> {
    const sums = new GroupSums();
    const others = (this.#values[second] as Places).merkmale.length;
    const [ofFirst, ofSecond] = [this.#places[first] as number[], this.#places[second] as number[]];
    const places = Int32Array.from(ofFirst, (place, call) =>
      sums.placeOf(place * others + (ofSecond[call] as number)),
    );
    for (const figure of FIGURE_NAMES.keys()) this.#addUp(figure, sums, places);
    const firstOf = Int32Array.from(sums.merkmale, (pair) => Math.floor(pair / others));
    const secondOf = Int32Array.from(sums.merkmale, (pair) => pair % others);
    yield* this.#direction(sums, [first, firstOf], [second, secondOf]);
    yield* this.#direction(sums, [second, secondOf], [first, firstOf]);
  }

  #addUp(figure: number, sums: GroupSums, places: Int32Array): void {
    for (const numbers of this.#figures.units(figure)) {
      const into = sums.numbers(figure, numbers.scale);
      for (const [index, limb] of numbers.limbs.entries()) {
        const sum = into.limb(index, sums.groups);
        const last = Math.min(places.length, limb.length);
        for (let call = 0; call < last; call += 1) {
          const place = places[call] as number;
          sum[place] = (sum[place] as number) + (limb[call] as number);
        }
      }
      for (const [call, value] of numbers.beyond) into.add(places[call] as number, value);
    }
  }

  *#direction(sums: GroupSums, own: [number, Int32Array], other: [number, Int32Array]): Generator<List> {
    const [dimension, ownOf] = own;
    const { merkmale } = this.#values[other[0]] as Places;
    const writer = new ListWriter(
      sums,
      Int32Array.from(other[1], (place) => merkmale[place] as number),
    );
    const nach = NUMBERS[other[0]] as number;
    const owners = (this.#values[dimension] as Places).merkmale;
    for (const [owner, places] of groupsOf(ownOf, owners.length))
      yield { merkmal: owners[owner] as number, nach, liste: writer.list(places) };
  }
}

/** The places by their owner, one behind the other in one array. */
function* groupsOf(ownerOf: Int32Array, owners: number): Generator<[owner: number, places: Int32Array]> {
  const ends = new Int32Array(owners + 1);
  for (const owner of ownerOf) ends[owner + 1] = (ends[owner + 1] as number) + 1;
  for (let owner = 0; owner < owners; owner += 1)
    ends[owner + 1] = (ends[owner + 1] as number) + (ends[owner] as number);
  const next = ends.slice();
  const places = new Int32Array(ownerOf.length);
  for (let place = 0; place < ownerOf.length; place += 1) {
    const owner = ownerOf[place] as number;
    places[next[owner] as number] = place;
    next[owner] = (next[owner] as number) + 1;
  }
  for (let owner = 0; owner < owners; owner += 1)
    if (ends[owner] !== ends[owner + 1]) yield [owner, places.subarray(ends[owner], ends[owner + 1])];
}
