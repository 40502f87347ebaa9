/** The figures of groups of calls, added up from lists and rows. */
import { FIGURE_NAMES, FIGURES, type FigureName } from '#contracts';
import { EUR_SCALE, textOf } from '#kernel/money.ts';
import { Numbers } from './numbers.ts';
import { Places } from './places.ts';

/** Amounts of either currency: sums that somebody puts into the tables may be finer than those of calls. */
const SCALES = { count: 0, tokens: 0, usd: EUR_SCALE, eur: EUR_SCALE };
/** Decimal places of the smallest unit of each figure, in the order of `FIGURE_NAMES`. */
export const FULL_SCALES = FIGURE_NAMES.map((name) => SCALES[FIGURES[name].kind]);

/** From one unit to the next finer one. */
const PLACES_APART = 4;
const POWERS = Array.from({ length: EUR_SCALE + 1 }, (_, exponent) => 10n ** BigInt(exponent));

/** Whole numbers of so many characters are exact as doubles. */
const SAFE_DIGITS = 15;

/** Of a value's number, and of its entry in a map. */
const BYTES_OF_PLACE = 40;

/** Sums by the number of a value. */
export class GroupSums {
  readonly #places: Places;
  /** By figure: sums in each unit that was added, 10^-scale. */
  readonly #numbers: Numbers[][];

  /** Begins with the sums of others, whose groups get no more from then on. */
  constructor(first: GroupSums | null = null) {
    this.#places = new Places(first === null ? null : first.#places);
    this.#numbers = FIGURE_NAMES.map((_, figure) => first?.units(figure).map((each) => each.copy()) ?? []);
  }

  /** Bytes that it takes, about. */
  get size(): number {
    const limbs = this.#numbers.flat().flatMap((numbers) => numbers.limbs);
    return limbs.reduce((sum, { byteLength }) => sum + byteLength, BYTES_OF_PLACE * this.groups);
  }

  /** The numbers of the values, by place. */
  get merkmale(): readonly number[] {
    return this.#places.merkmale;
  }

  get groups(): number {
    return this.merkmale.length;
  }

  has(merkmal: number): boolean {
    return this.#places.has(merkmal);
  }

  /** The place of a value's group, which begins with nothing. */
  placeOf(merkmal: number): number {
    return this.#places.of(merkmal);
  }

  /** The place of a new group that stands for no value. */
  begin(): number {
    return this.#places.next();
  }

  /** The sums of a figure, by its place in `FIGURE_NAMES`, in a unit. */
  numbers(figure: number, scale: number): Numbers {
    const all = this.#numbers[figure] as Numbers[];
    const known = all.find((numbers) => numbers.scale === scale);
    if (known) return known;
    const fresh = new Numbers(scale);
    all.push(fresh);
    return fresh;
  }

  /**
   * The sums of a figure in a unit in which so many decimal places are whole: the one in use where it is fine enough. Amounts have now
   * more of them and now less; a unit for each would be as many columns of a list.
   */
  #fineEnough(figure: number, scale: number): Numbers {
    const inUse = this.units(figure).find((numbers) => numbers.scale >= scale);
    const full = FULL_SCALES[figure] as number;
    return inUse ?? this.numbers(figure, Math.min(full, PLACES_APART * Math.ceil(scale / PLACES_APART)));
  }

  /** All units in which something was added to a figure. */
  units(figure: number): readonly Numbers[] {
    return this.#numbers[figure] as Numbers[];
  }

  /** Adds plain decimals by figure; null adds nothing. */
  addRow(place: number, row: Partial<Record<FigureName, string | null>>): void {
    for (const [figure, name] of FIGURE_NAMES.entries()) {
      const text = row[name];
      if (text !== undefined && text !== null) this.#addText(place, figure, text);
    }
  }

  /** Adds a plain decimal to a figure. */
  addText(place: number, name: FigureName, text: string): void {
    this.#addText(place, FIGURE_NAMES.indexOf(name), text);
  }

  #addText(place: number, figure: number, text: string): void {
    if (text === '0') return;
    const point = text.indexOf('.');
    const scale = point < 0 ? 0 : text.length - point - 1;
    const digits = point < 0 ? text : text.slice(0, point) + text.slice(point + 1);
    const numbers = this.#fineEnough(figure, scale);
    if (numbers.scale === scale && digits.length <= SAFE_DIGITS) numbers.addSafe(place, Number(digits));
    else numbers.add(place, BigInt(digits) * (POWERS[numbers.scale - scale] as bigint));
  }

  /** Adds all figures of a group of other sums. */
  addGroup(place: number, others: GroupSums, other: number): void {
    for (const figure of FIGURE_NAMES.keys())
      for (const numbers of others.units(figure)) {
        const value = numbers.value(other);
        if (value !== 0n) this.numbers(figure, numbers.scale).add(place, value);
      }
  }

  /** A figure of a group, in its smallest unit. */
  value(place: number, figure: number): bigint {
    let sum = 0n;
    for (const numbers of this.units(figure)) {
      const value = numbers.value(place);
      if (value !== 0n) sum += value * (POWERS[(FULL_SCALES[figure] as number) - numbers.scale] as bigint);
    }
    return sum;
  }

  /** About how much a figure of a group is in its unit: exact to 1 part in 10^14. */
  about(place: number, figure: number): number {
    let sum = 0;
    for (const numbers of this.units(figure)) sum += numbers.about(place) / 10 ** numbers.scale;
    return sum;
  }

  /** A figure of a group as a plain decimal. */
  text(place: number, figure: number): string {
    return textOf(this.value(place, figure), FULL_SCALES[figure] as number);
  }

  /** All figures of a group, in the order of `FIGURE_NAMES`. */
  values(place: number): bigint[] {
    return FIGURE_NAMES.map((_, figure) => this.value(place, figure));
  }
}
