/** Numbers for the values of dimensions that a stretch names; 0 is the total of all. */
import { DIMENSION_NAMES, DIMENSIONS, type DimensionName } from '#contracts';
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
const DIMENSION_LIST = DIMENSION_NAMES.map((name) => ({ number: DIMENSIONS[name].number, read: READ[name] }));

/** How many values every event has, the total not counted. */
export const VALUES_OF_EVENT = DIMENSION_LIST.length;
export const TOTAL = 0;

export class Values {
  /** Number of the dimension and text, by value. */
  readonly dimensions: number[] = [TOTAL];
  readonly texts: string[] = [''];
  readonly #numbers = DIMENSION_LIST.map(() => new Map<string, number>());
  readonly #found = new Uint32Array(VALUES_OF_EVENT);

  /** The values of an event; the array is used again for the next one. */
  of(event: CountedEvent): Uint32Array {
    for (let index = 0; index < VALUES_OF_EVENT; index += 1) {
      const { number, read } = DIMENSION_LIST[index] as (typeof DIMENSION_LIST)[number];
      const text = read(event);
      const numbers = this.#numbers[index] as Map<string, number>;
      let value = numbers.get(text);
      if (value === undefined) {
        value = this.texts.push(text) - 1;
        this.dimensions.push(number);
        numbers.set(text, value);
      }
      this.#found[index] = value;
    }
    return this.#found;
  }
}
