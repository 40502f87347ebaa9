/** What the events of one Mandant add up to: in total and by each value of each dimension, by minute, hour, day and week. */
import { FIGURE_NAMES } from '#contracts';
import { GRAINS, type Grain, MINUTE_HOURS } from '#domains/verbrauch/index.ts';
import type { CountedEvent } from '../normalise.ts';
import { Addend, NEW_EVENT, readFigure } from './figures.ts';
import { Grid } from './grid.ts';
import { VALUES_OF_EVENT, Values, WITH_MINUTES } from './values.ts';

/** Calls of one hour that were converted at one rate. */
export interface RateUse {
  stunde: string;
  /** EUR for one USD. */
  kurs: string;
  aufrufe: number;
  /** 10^-24 USD. */
  usd: bigint;
}

export type Grids = Readonly<Record<Grain, Grid>>;

const MINUTE = 60;
const AUFRUFE = FIGURE_NAMES.indexOf('aufrufe');

/** The Monday of the week of a day `YYYY-MM-DD`. */
function weekOf(tag: string): string {
  const day = Temporal.PlainDate.from(tag);
  return day.subtract({ days: day.dayOfWeek - 1 }).toString();
}

export class Sums {
  readonly values = new Values();
  readonly #addend: Addend;
  readonly #minutesSince: number;
  readonly #minutes = new Grid(GRAINS.minute);
  /** What is in no sum by the minute; with `grids`, all. */
  readonly #hours = new Grid(GRAINS.stunde);
  /** The local day of each hour. */
  readonly #dayOf = new Map<string, string>();
  /** By period of the sums by the minute: the period of its hour. */
  readonly #hourOf: number[] = [];
  readonly #minuteNumbers = new Map<number, number>();
  /** By period of the sums by the hour. */
  readonly #rates: RateUse[][] = [];
  #grids: Grids | null = null;

  /** `now`: milliseconds since 1970; calls of the last 48 hours before it are summed up by the minute, too. */
  constructor(now: number, addition = NEW_EVENT) {
    this.#minutesSince = Math.floor(now / 1_000) - MINUTE_HOURS * 3_600;
    this.#addend = new Addend(addition);
  }

  /** Adds an event; not after `grids`. */
  add(event: CountedEvent): void {
    this.#addend.read(event);
    const values = this.values.of(event);
    let index = 0;
    let hour: number;
    if (event.seconds >= this.#minutesSince) {
      const minute = this.#minuteOf(event);
      for (; index < WITH_MINUTES; index += 1)
        this.#minutes.add(minute, values[index] as number, this.#addend);
      hour = this.#hourOf[minute] as number;
    } else hour = this.#hour(event);
    for (; index < VALUES_OF_EVENT; index += 1) this.#hours.add(hour, values[index] as number, this.#addend);
    this.#addRate(hour, event);
  }

  #minuteOf(event: CountedEvent): number {
    const number = Math.floor(event.seconds / MINUTE);
    const known = this.#minuteNumbers.get(number);
    if (known !== undefined) return known;
    const minute = this.#minutes.period(new Date(number * MINUTE * 1_000).toISOString());
    this.#minuteNumbers.set(number, minute);
    this.#hourOf[minute] = this.#hour(event);
    return minute;
  }

  #hour({ stunde, tag }: CountedEvent): number {
    this.#dayOf.set(stunde, tag);
    return this.#hours.period(stunde);
  }

  #addRate(hour: number, { stunde, kurs, usd }: CountedEvent): void {
    this.#rates[hour] ??= [];
    const uses = this.#rates[hour] as RateUse[];
    let use = uses.find((each) => each.kurs === kurs);
    if (!use) {
      use = { stunde, kurs, aufrufe: 0, usd: 0n };
      uses.push(use);
    }
    use.aufrufe += readFigure(this.#addend.numbers, 0, AUFRUFE) as number;
    if (usd !== null) use.usd += usd;
  }

  /** The sums by each of the periods. */
  grids(): Grids {
    this.#grids ??= this.#coarsen();
    return this.#grids;
  }

  #coarsen(): Grids {
    this.#hours.addGrid(this.#minutes, this.#hourOf);
    const tag = new Grid(GRAINS.tag);
    tag.addGrid(
      this.#hours,
      this.#hours.periods.map((stunde) => tag.period(this.#dayOf.get(stunde) as string)),
    );
    const woche = new Grid(GRAINS.woche);
    woche.addGrid(
      tag,
      tag.periods.map((day) => woche.period(weekOf(day))),
    );
    return { minute: this.#minutes, stunde: this.#hours, tag, woche };
  }

  /** The local days of the events. */
  days(): string[] {
    return [...new Set(this.#dayOf.values())];
  }

  /** How much of each hour was converted at which rate. */
  rates(): RateUse[] {
    return this.#rates.flat();
  }
}
