/** What the events of one Mandant add up to: in total and by each value that has running sums, by minute and hour. */
import { FIGURE_NAMES } from '#contracts';
import { type Grain, type KeptValues, MINUTE_HOURS } from '#domains/verbrauch/index.ts';
import type { Sign } from '#kernel/count.ts';
import type { CountedEvent } from '../normalise.ts';
import { Addend } from './figures.ts';
import { Grid } from './grid.ts';
import { Piece } from './piece.ts';
import { VALUES_OF_EVENT, Values } from './values.ts';

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
  aufrufe: number | bigint;
  unbepreist: number | bigint;
  /** 10^-34 EUR. */
  eur: bigint;
}

export type Grids = Readonly<Record<Grain, Grid>>;

const [CALLS, UNPRICED, EUR] = (['aufrufe', 'unbepreist', 'kosten_eur'] as const).map((name) =>
  FIGURE_NAMES.indexOf(name),
) as [number, number, number];
/** The value that all calls have. */
const ALL_CALLS = 0;
const MINUTE = 60;

/** When the minute of a time (seconds since 1970) began. */
const minuteOf = (seconds: number): string =>
  new Date(Math.floor(seconds / MINUTE) * MINUTE * 1_000).toISOString();

/** Of the event that is being added. */
const ADDEND = new Addend();

/** The events of one Mandant. */
export class Sums {
  readonly values: Values;
  /** All that was added, row by row. */
  readonly piece = new Piece();
  /** Seconds since 1970 from which on there are sums by the minute. */
  readonly #minutesSince: number;
  /** By the minute; by the hour what is in no sum by the minute, until all is added up. */
  readonly #minutes = new Grid({ histograms: true });
  readonly #hours = new Grid({ histograms: true });
  /** By period of the sums by the minute: the period of its hour. */
  readonly #hourOf: number[] = [];
  readonly #minuteNumbers = new Map<number, number>();
  #grids: Grids | null = null;
  /** All calls by the local day. */
  readonly #days = new Grid({ histograms: false });
  #day = 0;
  readonly #rates = new Map<string, RateUse[]>();
  /** Those of the hour that came last. */
  #uses: RateUse[] = [];
  #hour = '';

  /** `now`: milliseconds since 1970. `kept`: of which values there are running sums. */
  constructor(now: number, kept: KeptValues) {
    this.values = new Values(kept);
    this.#minutesSince = Math.floor(now / 1_000) - MINUTE_HOURS * 3_600;
  }

  /** Adds an event, or takes away what it has added; not after `grids`. */
  add(event: CountedEvent, sign: Sign = 1): void {
    this.#addRate(event, sign);
    const values = this.values.of(event);
    ADDEND.read(event, sign);
    this.piece.add(event, values, ADDEND);
    this.#days.add(this.#day, ALL_CALLS, ADDEND);
    const isRecent = event.seconds >= this.#minutesSince;
    const grid = isRecent ? this.#minutes : this.#hours;
    const period = isRecent ? this.#minuteOf(event) : grid.period(event.stunde);
    const { areKept } = this.values;
    for (let index = 0; index < VALUES_OF_EVENT; index += 1) {
      const value = values[index] as number;
      if (areKept[value]) grid.add(period, value, ADDEND);
    }
  }

  #minuteOf({ seconds, stunde }: CountedEvent): number {
    const number = Math.floor(seconds / MINUTE);
    const known = this.#minuteNumbers.get(number);
    if (known !== undefined) return known;
    const minute = this.#minutes.period(minuteOf(seconds));
    this.#minuteNumbers.set(number, minute);
    this.#hourOf[minute] = this.#hours.period(stunde);
    return minute;
  }

  #addRate({ stunde, tag, kurs, usd }: CountedEvent, sign: Sign): void {
    if (stunde !== this.#hour) {
      this.#hour = stunde;
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

  /** How many running sums of the finest periods there are, and values: what writing them takes. */
  get work(): number {
    return this.#minutes.cells + this.#hours.cells + this.values.texts.length;
  }

  /** The running sums by each of the periods. */
  grids(): Grids {
    if (!this.#grids) this.#hours.addGrid(this.#minutes, this.#hourOf);
    this.#grids ??= { minute: this.#minutes, stunde: this.#hours };
    return this.#grids;
  }

  /** The local days of the events. */
  days(): readonly string[] {
    return this.#days.periods;
  }

  dayTotals(): DayTotals[] {
    const days = this.#days;
    return days.periodOf.map((period, cell) => ({
      tag: days.periods[period] as string,
      aufrufe: days.figure(cell, CALLS),
      unbepreist: days.figure(cell, UNPRICED),
      eur: BigInt(days.figure(cell, EUR)),
    }));
  }

  /** How much of each hour was converted at which rate, but for what was taken away and added again. */
  rates(): RateUse[] {
    return [...this.#rates.values()]
      .flat()
      .filter(({ aufrufe, usd, ersatzAufrufe }) => aufrufe !== 0 || usd !== 0n || ersatzAufrufe !== 0);
  }
}
