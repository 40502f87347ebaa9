/** What the events of one Mandant add up to: in total and by each value of each dimension, by minute, hour, day and week. */
import { type Grain, HISTOGRAMS, MINUTE_HOURS, STEP_BOUNDS } from '#domains/verbrauch/index.ts';
import type { CountedEvent } from '../normalise.ts';
import { type Addition, COUNT_NAMES, isInEur, MONEY_NAMES, NEW_EVENT, SHARE_OF, SHARES } from './figures.ts';
import { Grid } from './grid.ts';
import { GROUPS_OF_EVENT, TOTAL, Values } from './values.ts';

/** Calls of one hour that were converted at one rate. */
export interface RateUse {
  stunde: string;
  /** EUR for one USD. */
  kurs: string;
  aufrufe: number;
  /** 10^-24 USD. */
  usd: bigint;
}

/** The finest period sums are made by: a minute, or an hour for what lies further back than minutes are kept; at one rate. */
interface Bucket {
  period: number;
  minute: string | null;
  stunde: string;
  tag: string;
  kurs: string;
  kursScaled: bigint;
}

const MINUTE = 60;
const ALL = SHARES.indexOf('all');
const NO_STEP = -1;
const AUFRUFE = COUNT_NAMES.indexOf('aufrufe');

/** The Monday of the week of a day `YYYY-MM-DD`. */
function weekOf(tag: string): string {
  const day = Temporal.PlainDate.from(tag);
  return day.subtract({ days: day.dayOfWeek - 1 }).toString();
}

/** The step of a histogram that a number of milliseconds belongs to: how many of the bounds it has reached. */
export function stepOf(milliseconds: number): number {
  let low = 0;
  let high = STEP_BOUNDS.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (milliseconds >= (STEP_BOUNDS[middle] as number)) low = middle + 1;
    else high = middle;
  }
  return low;
}

export class Sums {
  readonly values = new Values();
  readonly #addition: Addition;
  readonly #minutesSince: number;
  readonly #base = new Grid(SHARES.length);
  /** By period of the base. */
  readonly #buckets: Bucket[] = [];
  readonly #byMinute = new Map<number, Bucket[]>();
  readonly #byHour = new Map<string, Bucket[]>();
  #last: Bucket | null = null;
  #lastMinute = Number.NaN;
  readonly #counts = new Float64Array(COUNT_NAMES.length);
  readonly #steps = new Int8Array(HISTOGRAMS.length);

  /** `now`: milliseconds since 1970; calls of the last 48 hours before it are summed up by the minute, too. */
  constructor(now: number, addition = NEW_EVENT) {
    this.#minutesSince = Math.floor(now / 1_000) - MINUTE_HOURS * 3_600;
    this.#addition = addition;
  }

  add(event: CountedEvent): void {
    const { period } = this.#bucketOf(event);
    const { counts } = this.#addition;
    for (let index = 0; index < counts.length; index += 1)
      this.#counts[index] = (counts[index] as (typeof counts)[number])(event);
    const { histograms } = this.#addition;
    this.#steps[0] = histograms && event.latenzMs !== null ? stepOf(event.latenzMs) : NO_STEP;
    this.#steps[1] = histograms && event.ersteZeichenMs !== null ? stepOf(event.ersteZeichenMs) : NO_STEP;
    const groups = this.values.of(event);
    for (let index = 0; index < GROUPS_OF_EVENT; index += 1)
      this.#addTo(this.#base.cell(period, groups[index] as number), event);
  }

  #addTo(cell: number, event: CountedEvent): void {
    const base = this.#base;
    base.addCounts(cell, this.#counts);
    if (event.usd !== null) {
      base.addMoney(cell, 0, event.usd);
      if (event.geschaetzt) base.addMoney(cell, 1, event.usd);
      if (event.failed) base.addMoney(cell, 2, event.usd);
    }
    for (let which = 0; which < HISTOGRAMS.length; which += 1) {
      const step = this.#steps[which] as number;
      if (step !== NO_STEP) base.addStep(cell, which, step);
    }
  }

  #bucketOf(event: CountedEvent): Bucket {
    const { seconds, kursScaled } = event;
    const minute = Math.floor(seconds / MINUTE);
    if (minute === this.#lastMinute && this.#last?.kursScaled === kursScaled) return this.#last;
    const recent = seconds >= this.#minutesSince;
    const buckets = recent ? listAt(this.#byMinute, minute) : listAt(this.#byHour, event.stunde);
    let bucket = buckets.find((known) => known.kursScaled === kursScaled);
    if (!bucket) {
      const { stunde, tag, kurs } = event;
      const name = recent ? new Date(minute * MINUTE * 1_000).toISOString() : null;
      bucket = { period: this.#base.addPeriod(stunde), minute: name, stunde, tag, kurs, kursScaled };
      this.#buckets.push(bucket);
      buckets.push(bucket);
    }
    this.#last = bucket;
    this.#lastMinute = minute;
    return bucket;
  }

  /** The sums by each of the periods. */
  grids(): Record<Grain, Grid> {
    const minute = this.#merge(
      (bucket) => bucket.minute,
      (value) => this.values.hasMinutes(value),
    );
    const stunde = this.#merge((bucket) => bucket.stunde);
    const dayOf = new Map(this.#buckets.map((bucket) => [bucket.stunde, bucket.tag]));
    const tag = coarsen(stunde, (hour) => dayOf.get(hour) as string);
    return { minute, stunde, tag, woche: coarsen(tag, weekOf) };
  }

  /** The sums of the groups, split up to their values. */
  #merge(nameOf: (bucket: Bucket) => string | null, isKept: (value: number) => boolean = () => true): Grid {
    const base = this.#base;
    const grid = new Grid(MONEY_NAMES.length);
    const periods = this.#buckets.map((bucket) => {
      const name = nameOf(bucket);
      return name === null ? null : grid.period(name);
    });
    const kept = this.values.groups.map((values) => values.filter(isKept));
    for (let from = 0; from < base.cells; from += 1) {
      const bucket = base.periodOf[from] as number;
      const period = periods[bucket];
      if (period === null || period === undefined) continue;
      const amounts = this.#amounts(from, this.#buckets[bucket] as Bucket);
      for (const value of kept[base.valueOf[from] as number] as number[]) {
        const cell = grid.cell(period, value);
        grid.addCell(cell, base, from);
        for (let which = 0; which < amounts.length; which += 1)
          if (amounts[which] !== 0n) grid.addMoney(cell, which, amounts[which] as bigint);
      }
    }
    return grid;
  }

  /** The amounts of a cell of the base, in the order of `MONEY_NAMES`. */
  #amounts(cell: number, { kursScaled }: Bucket): bigint[] {
    return MONEY_NAMES.map((figure) => {
      const usd = this.#base.money(cell, SHARES.indexOf(SHARE_OF[figure]));
      return usd !== 0n && isInEur(figure) ? usd * kursScaled : usd;
    });
  }

  /** The local days of the events. */
  days(): string[] {
    return [...new Set(this.#buckets.map(({ tag }) => tag))];
  }

  /** How much of each hour was converted at which rate. */
  rates(): RateUse[] {
    const uses = new Map<string, RateUse>();
    for (let cell = 0; cell < this.#base.cells; cell += 1) {
      const values = this.values.groups[this.#base.valueOf[cell] as number] as number[];
      if (!values.includes(TOTAL)) continue;
      const { stunde, kurs } = this.#buckets[this.#base.periodOf[cell] as number] as Bucket;
      const key = `${stunde} ${kurs}`;
      const use = uses.get(key) ?? { stunde, kurs, aufrufe: 0, usd: 0n };
      use.aufrufe += Number(this.#base.count(cell, AUFRUFE));
      use.usd += this.#base.money(cell, ALL);
      uses.set(key, use);
    }
    return [...uses.values()];
  }
}

function listAt<K, V>(lists: Map<K, V[]>, key: K): V[] {
  let list = lists.get(key);
  if (!list) {
    list = [];
    lists.set(key, list);
  }
  return list;
}

/** The same sums by longer periods. */
function coarsen(fine: Grid, periodOf: (name: string) => string): Grid {
  const grid = new Grid(MONEY_NAMES.length);
  const periods = fine.periods.map((name) => grid.period(periodOf(name)));
  for (let from = 0; from < fine.cells; from += 1) {
    const cell = grid.cell(periods[fine.periodOf[from] as number] as number, fine.valueOf[from] as number);
    grid.addCell(cell, fine, from);
    for (let which = 0; which < MONEY_NAMES.length; which += 1) {
      const amount = fine.money(from, which);
      if (amount !== 0n) grid.addMoney(cell, which, amount);
    }
  }
  return grid;
}
