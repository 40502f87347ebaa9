import type { Chance } from '../chance.ts';
import type { PlannedCall } from '../planned.ts';

type Make = (own: Chance, day: number, nr: number) => PlannedCall[];

/** A number of runs a day, each with its own seed. */
export const daily = (chance: Chance, days: number, count: number, make: Make): PlannedCall[] =>
  Array.from({ length: days }, (_, day) =>
    Array.from({ length: count }, (_run, nr) => make(chance.named(`${day}/${nr}`), day, nr)),
  ).flat(2);

/** The same from Monday to Friday. */
export const onWorkdays = (chance: Chance, days: number, count: number, make: Make): PlannedCall[] =>
  daily(chance, days, count, (own, day, nr) => (day % 7 > 4 ? [] : make(own, day, nr)));
