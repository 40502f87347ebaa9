/** Numbers for the values of dimensions that a stretch names; 0 is the total of all. */
import {
  DIMENSION_NAMES,
  DIMENSIONS,
  type DimensionName,
  OWN_DIMENSION_NAMES,
  OWN_DIMENSIONS,
  type OwnDimensionName,
} from '#contracts';
import { isKept, type KeptValues, TOTAL } from '#domains/verbrauch/index.ts';
import type { CountedEvent } from '../normalise.ts';

/** The value an event has; '' is none. */
const READ: Record<DimensionName, (event: CountedEvent) => string> = {
  agent: (event) => event.agent,
  projekt: (event) => event.projekt,
  endkunde: (event) => event.endkunde ?? '',
  anbieter: (event) => event.anbieter ?? '',
  modell: (event) => event.modell ?? '',
  funktion: (event) => event.funktion ?? '',
  benutzer: (event) => event.benutzer ?? '',
};

const READERS = DIMENSION_NAMES.map((name) => READ[name]);

/** Where among the values of an event the one of each dimension stands. */
export const PLACES = Object.fromEntries(DIMENSION_NAMES.map((name, index) => [name, index + 1])) as Record<
  DimensionName,
  number
>;

/** How many values an event has, the total among them. */
export const VALUES_OF_EVENT = DIMENSION_NAMES.length + 1;

/** Where those of the Mandant's own dimensions stand, behind all others; 0 is none. */
export const OWN_PLACES = Object.fromEntries(
  OWN_DIMENSION_NAMES.map((name, index) => [name, VALUES_OF_EVENT + index]),
) as Record<OwnDimensionName, number>;
const OWN_NUMBERS = OWN_DIMENSION_NAMES.map((name) => OWN_DIMENSIONS[name].number);

export class Values {
  /** Number of the dimension and text, by value. */
  readonly dimensions: number[] = [TOTAL.dimension];
  readonly texts: string[] = [''];
  /** Whether each has running sums. */
  readonly areKept: boolean[] = [true];
  readonly #kept: KeptValues;
  readonly #numbers = DIMENSION_NAMES.map(() => new Map<string, number>());
  readonly #own: Map<string, number>[] = [];
  readonly #found = new Uint32Array(VALUES_OF_EVENT + OWN_NUMBERS.length);

  constructor(kept: KeptValues = new Map()) {
    this.#kept = kept;
  }

  /** The number of a value that was named; -1 of others. */
  find(name: DimensionName, text: string): number {
    return this.#numbers[DIMENSION_NAMES.indexOf(name)]?.get(text) ?? -1;
  }

  /** The values of an event; the array is used again for the next one. */
  of(event: CountedEvent): Uint32Array {
    for (let index = 0; index < READERS.length; index += 1) {
      const text = (READERS[index] as (event: CountedEvent) => string)(event);
      const known = this.#numbers[index] as Map<string, number>;
      this.#found[index + 1] =
        known.get(text) ?? this.#add(known, DIMENSIONS[DIMENSION_NAMES[index] as DimensionName].number, text);
    }
    for (let index = 0; index < OWN_NUMBERS.length; index += 1)
      this.#found[VALUES_OF_EVENT + index] = this.#ownValue(index, event.merkmale[index] ?? '');
    return this.#found;
  }

  #ownValue(index: number, text: string): number {
    if (text === '') return 0;
    this.#own[index] ??= new Map();
    const known = this.#own[index];
    return known.get(text) ?? this.#add(known, OWN_NUMBERS[index] as number, text);
  }

  #add(known: Map<string, number>, dimension: number, text: string): number {
    const value = this.texts.push(text) - 1;
    this.dimensions.push(dimension);
    this.areKept.push(isKept(this.#kept, dimension, text));
    known.set(text, value);
    return value;
  }
}
