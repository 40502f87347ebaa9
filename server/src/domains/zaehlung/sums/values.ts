/**
 * Numbers for the values of dimensions that a stretch names; 0 is the total of all. Events are added up by groups of values
 * first, which mostly come together (an agent belongs to a project, a model to a provider): each sum of such a group is then
 * the group's sums added up, and an event is added four times instead of eight.
 */
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

/** Dimensions whose values mostly come together; each of the others stands alone. */
const TOGETHER: readonly DimensionName[][] = [
  ['agent', 'projekt', 'funktion'],
  ['modell', 'anbieter'],
];
const GROUPED = [
  ...TOGETHER,
  ...DIMENSION_NAMES.filter((name) => !TOGETHER.flat().includes(name)).map((name) => [name]),
];

export const GROUPS_OF_EVENT = GROUPED.length;
export const TOTAL = 0;
const WITH_MINUTES = new Set([
  TOTAL,
  ...DIMENSION_NAMES.filter((name) => DIMENSIONS[name].minutes).map((name) => DIMENSIONS[name].number),
]);

/** A place in the tree that leads from the texts of a group to the group. */
type Branch = Map<string, Branch | number>;

export class Values {
  /** Number of the dimension and text, by value. */
  readonly dimensions: number[] = [TOTAL];
  readonly texts: string[] = [''];
  /** By group: its values; the total is one of those of every first group. */
  readonly groups: number[][] = [];
  readonly #numbers = new Map<DimensionName, Map<string, number>>();
  readonly #roots: Branch[] = GROUPED.map(() => new Map());
  readonly #found = new Uint32Array(GROUPS_OF_EVENT);

  /** Whether sums of a value are kept by the minute, too. */
  hasMinutes(value: number): boolean {
    return WITH_MINUTES.has(this.dimensions[value] as number);
  }

  /** The number of a value that was named; -1 of others. */
  find(name: DimensionName, text: string): number {
    return this.#numbers.get(name)?.get(text) ?? -1;
  }

  /** The groups of an event; the array is used again for the next one. */
  of(event: CountedEvent): Uint32Array {
    for (let index = 0; index < GROUPS_OF_EVENT; index += 1) {
      const names = GROUPED[index] as DimensionName[];
      let place: Branch | number | undefined = this.#roots[index];
      for (let depth = 0; depth < names.length && typeof place === 'object'; depth += 1)
        place = place.get(READ[names[depth] as DimensionName](event));
      this.#found[index] = typeof place === 'number' ? place : this.#addGroup(index, event);
    }
    return this.#found;
  }

  #addGroup(index: number, event: CountedEvent): number {
    const names = GROUPED[index] as DimensionName[];
    const values = names.map((name) => this.#value(name, READ[name](event)));
    const group = this.groups.push(index === 0 ? [TOTAL, ...values] : values) - 1;
    let branch = this.#roots[index] as Branch;
    for (const name of names.slice(0, -1)) {
      const text = READ[name](event);
      const next = (branch.get(text) as Branch | undefined) ?? new Map();
      branch.set(text, next);
      branch = next;
    }
    branch.set(READ[names.at(-1) as DimensionName](event), group);
    return group;
  }

  #value(name: DimensionName, text: string): number {
    const numbers = this.#numbers.get(name) ?? new Map<string, number>();
    this.#numbers.set(name, numbers);
    const known = numbers.get(text);
    if (known !== undefined) return known;
    const value = this.texts.push(text) - 1;
    this.dimensions.push(DIMENSIONS[name].number);
    numbers.set(text, value);
    return value;
  }
}
