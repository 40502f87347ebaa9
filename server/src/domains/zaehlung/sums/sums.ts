/** What the events of one Mandant add up to: in total and by each value of each dimension, by minute and hour. */
import { FIGURE_NAMES } from '#contracts';
import { type Grain, MINUTE_HOURS } from '#domains/verbrauch/index.ts';
import type { Sign } from '#kernel/count.ts';
import type { CountedEvent } from '../normalise.ts';
import { Addend } from './figures.ts';
import { Grid } from './grid.ts';
import { Piece } from './piece.ts';
import { VALUES_OF_EVENT, Values, WITH_MINUTES } from './values.ts';

/** Calls of one hour that were converted at one rate. */
export interface RateUse {
  stunde: string;
  /** EUR for one USD. */
  kurs: string;
  aufrufe: number;
  /** 10^-24 USD. */
  usd: bigint;
  /** How many of the calls by the substitute rate, and the day that is of. */
  ersatzAufrufe: number;
  ersatzTag: string | null;
}

/** What all calls of a local day add up to. */
export interface DayTotals {
  tag: string;
  /** The first hour that has some. */
  stunde: string;
  aufrufe: number | bigint;
  unbepreist: number | bigint;
  aufgeteilt: number | bigint;
  /** 10^-34 EUR. */
  eur: bigint;
}

export type Grids = Readonly<Record<Grain, Grid>>;

/** An event by itself. */
export interface Single {
  event: CountedEvent;
  /** When its minute began; null when it is too old for sums by the minute. */
  minute: string | null;
  /** Its values, at `PLACES`. */
  values: Uint32Array;
}

const [CALLS, UNPRICED, DIVIDED, EUR] = (['aufrufe', 'unbepreist', 'aufgeteilt', 'kosten_eur'] as const).map(
  (name) => FIGURE_NAMES.indexOf(name),
) as [number, number, number, number];
/** The value that all calls have. */
const ALL_CALLS = 0;
const MINUTE = 60;
/** Up to so many events a stretch is cheaper written down event by event. */
const MOST_SINGLES = 200;

/** When the minute of a time (seconds since 1970) began. */
const minuteOf = (seconds: number): string =>
  new Date(Math.floor(seconds / MINUTE) * MINUTE * 1_000).toISOString();

/** Events while they are added up: by the minute, and what is in no sum by the minute by the hour. */
class Adding {
  readonly minutes = new Grid({ histograms: true });
  readonly hours = new Grid({ histograms: true });
  /** By period of the sums by the minute: the period of its hour. */
  readonly hourOf: number[] = [];
  readonly #minuteNumbers = new Map<number, number>();

  /** Adds an event that the addend has read. */
  add(event: CountedEvent, isRecent: boolean, values: Uint32Array, addend: Addend): void {
    let index = 0;
    let hour: number;
    if (isRecent) {
      const minute = this.#minuteOf(event);
      for (; index < WITH_MINUTES; index += 1) this.minutes.add(minute, values[index] as number, addend);
      hour = this.hourOf[minute] as number;
    } else hour = this.hours.period(event.stunde);
    for (; index < VALUES_OF_EVENT; index += 1) this.hours.add(hour, values[index] as number, addend);
  }

  #minuteOf({ seconds, stunde }: CountedEvent): number {
    const number = Math.floor(seconds / MINUTE);
    const known = this.#minuteNumbers.get(number);
    if (known !== undefined) return known;
    const minute = this.minutes.period(minuteOf(seconds));
    this.#minuteNumbers.set(number, minute);
    this.hourOf[minute] = this.hours.period(stunde);
    return minute;
  }
}

/** The events of one Mandant: one by one as long as they are few, then added up. */
export class Sums {
  readonly values = new Values();
  /** All that was added, row by row. */
  readonly piece = new Piece();
  readonly #addend = new Addend();
  readonly #minutesSince: number;
  readonly #mostSingles: number;
  /** As long as they are few. */
  #singles: Single[] = [];
  #adding: Adding | null = null;
  #grids: Grids | null = null;
  /** All calls by the local day. */
  readonly #days = new Grid({ histograms: false });
  #day = 0;
  /** The local day of each hour. */
  readonly #dayOf = new Map<string, string>();
  readonly #rates = new Map<string, RateUse[]>();
  /** Those of the hour that came last. */
  #uses: RateUse[] = [];
  #hour = '';

  /**
   * `now`: milliseconds since 1970; calls of the last 48 hours before it are summed up by the minute, too. `mostSingles`: 0 where
   * events are taken away, which are in no list of their own.
   */
  constructor(now: number, mostSingles = MOST_SINGLES) {
    this.#minutesSince = Math.floor(now / 1_000) - MINUTE_HOURS * 3_600;
    this.#mostSingles = mostSingles;
  }

  /** Adds an event, or takes away what it has added; not after `grids`. */
  add(event: CountedEvent, sign: Sign = 1): void {
    this.#addRate(event, sign);
    const isRecent = event.seconds >= this.#minutesSince;
    const adding = this.#singles.length < this.#mostSingles ? this.#adding : this.#addUp();
    const values = this.values.of(event);
    this.#addend.read(event, sign);
    this.piece.add(event, values, this.#addend);
    this.#days.add(this.#day, ALL_CALLS, this.#addend);
    if (adding) {
      adding.add(event, isRecent, values, this.#addend);
      return;
    }
    const minute = isRecent ? minuteOf(event.seconds) : null;
    this.#singles.push({ event, minute, values: values.slice() });
  }

  #addRate({ stunde, tag, kurs, usd }: CountedEvent, sign: Sign): void {
    if (stunde !== this.#hour) {
      this.#hour = stunde;
      this.#dayOf.set(stunde, tag);
      this.#day = this.#days.period(tag);
      this.#uses = this.#rates.get(stunde) ?? [];
      this.#rates.set(stunde, this.#uses);
    }
    let use = this.#uses.find((each) => each.kurs === kurs.text);
    if (!use) {
      use = { stunde, kurs: kurs.text, aufrufe: 0, usd: 0n, ersatzAufrufe: 0, ersatzTag: null };
      this.#uses.push(use);
    }
    use.aufrufe += sign;
    if (usd !== null) use.usd += sign < 0 ? -usd : usd;
    if (!kurs.ersatz) return;
    use.ersatzAufrufe += sign;
    use.ersatzTag ??= kurs.ersatzTag;
  }

  /** The events one by one; null when they are too many for that. */
  get singles(): readonly Single[] | null {
    return this.#adding ? null : this.#singles;
  }

  /** How many sums of the finest periods there are: what writing them takes. None as long as the events are kept one by one. */
  get cells(): number {
    return this.#adding ? this.#adding.minutes.cells + this.#adding.hours.cells : 0;
  }

  #addUp(): Adding {
    if (this.#adding) return this.#adding;
    this.#adding = new Adding();
    for (const { event, minute, values } of this.#singles) {
      this.#addend.read(event);
      this.#adding.add(event, minute !== null, values, this.#addend);
    }
    this.#singles = [];
    return this.#adding;
  }

  /** The sums by each of the periods. */
  grids(): Grids {
    if (this.#grids) return this.#grids;
    const { minutes, hours, hourOf } = this.#addUp();
    hours.addGrid(minutes, hourOf);
    this.#grids = { minute: minutes, stunde: hours };
    return this.#grids;
  }

  /** The local days of the events. */
  days(): readonly string[] {
    return this.#days.periods;
  }

  dayTotals(): DayTotals[] {
    const first = new Map<string, string>();
    for (const [stunde, tag] of this.#dayOf) {
      const known = first.get(tag);
      if (known === undefined || stunde < known) first.set(tag, stunde);
    }
    const days = this.#days;
    return days.periodOf.map((period, cell) => {
      const tag = days.periods[period] as string;
      return {
        tag,
        stunde: first.get(tag) as string,
        aufrufe: days.figure(cell, CALLS),
        unbepreist: days.figure(cell, UNPRICED),
        aufgeteilt: days.figure(cell, DIVIDED),
        eur: BigInt(days.figure(cell, EUR)),
      };
    });
  }

  /** How much of each hour was converted at which rate, but for what was taken away and added again. */
  rates(): RateUse[] {
    return [...this.#rates.values()]
      .flat()
      .filter(({ aufrufe, usd, ersatzAufrufe }) => aufrufe !== 0 || usd !== 0n || ersatzAufrufe !== 0);
  }
}
