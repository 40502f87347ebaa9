/** Calls that are kept one by one, of several Mandanten, as the columns of one statement. */
import { DIMENSION_NAMES, FIGURE_NAMES } from '#contracts';
import { HISTOGRAMS, SUM_COLUMNS } from '#domains/verbrauch/index.ts';
import { BinaryArray } from '#platform/database/copy/binary-array.ts';
import type { CountedEvent } from '../normalise.ts';
import { FIGURE_WRITERS, GROUPS, type WriteFigure } from './columns.ts';
import { Addend, NO_STEP } from './figures.ts';
import type { Single } from './sums.ts';
import { PLACES } from './values.ts';

/** The calls of one Mandant, with the numbers of their values. */
export interface NumberedSingles {
  /** Place of the Mandant in the statement's list, from 1. */
  mandant: number;
  /** Number of the mark that is left with them. */
  marke: number;
  singles: readonly Single[];
  /** `merkmal_id` by value. */
  ids: Int32Array;
}

/** The columns of `verbrauch_einzeln`, as a statement takes them. */
export interface SingleColumns {
  /** Instants and local days, which the rows name by their place, from 1; 0 is none. */
  times: string[];
  days: string[];
  /** Mandant, mark, number, minute, hour, day, then each dimension, then each of the sums. */
  columns: { name: string; type: 'int' | 'bigint' | 'numeric'; array: Buffer }[];
}

/** Gives texts places in a list, from 1. */
class Places {
  readonly #places = new Map<string, number>();

  get texts(): string[] {
    return [...this.#places.keys()];
  }

  of(text: string): number {
    const place = this.#places.get(text) ?? this.#places.size + 1;
    this.#places.set(text, place);
    return place;
  }
}

const ONE = [1];

/** Rows of calls, written column by column. */
class SingleRows {
  readonly #times = new Places();
  readonly #days = new Places();
  readonly #heads = {
    m: new BinaryArray('int'),
    marke: new BinaryArray('bigint'),
    nummer: new BinaryArray('int'),
    minute: new BinaryArray('int'),
    stunde: new BinaryArray('int'),
    tag: new BinaryArray('int'),
  };
  readonly #dimensions = DIMENSION_NAMES.map((name) => ({
    name,
    place: PLACES[name],
    out: new BinaryArray('int'),
  }));
  readonly #sums = SUM_COLUMNS.map(({ name, type }) => ({ name, type, out: new BinaryArray(type) }));
  readonly #addend = new Addend();

  add({ mandant, marke, ids }: NumberedSingles, index: number, { event, minute, values }: Single): void {
    const heads = this.#heads;
    heads.m.whole(mandant);
    heads.marke.whole(marke);
    heads.nummer.whole(index + 1);
    heads.minute.whole(minute === null ? 0 : this.#times.of(minute));
    heads.stunde.whole(this.#times.of(event.stunde));
    heads.tag.whole(this.#days.of(event.tag));
    for (const { place, out } of this.#dimensions) out.whole(ids[values[place] as number] as number);
    this.#addSums(event);
  }

  finish(): SingleColumns {
    return {
      times: this.#times.texts,
      days: this.#days.texts,
      columns: [
        ...Object.entries(this.#heads).map(([name, out]) => ({
          name,
          type: name === 'marke' ? ('bigint' as const) : ('int' as const),
          array: out.finish(),
        })),
        ...this.#dimensions.map(({ name, out }) => ({ name, type: 'int' as const, array: out.finish() })),
        ...this.#sums.map(({ name, type, out }) => ({ name, type, array: out.finish() })),
      ],
    };
  }

  #addSums(event: CountedEvent): void {
    const addend = this.#addend;
    const sums = this.#sums;
    addend.read(event);
    for (let figure = 0; figure < FIGURE_NAMES.length; figure += 1) {
      const write = FIGURE_WRITERS[figure] as WriteFigure;
      write(sums[figure]?.out as BinaryArray, addend.figure(figure));
    }
    for (let histogram = 0; histogram < HISTOGRAMS.length; histogram += 1) {
      const step = addend.steps[histogram] as number;
      const out = sums[FIGURE_NAMES.length + histogram]?.out as BinaryArray;
      if (step === NO_STEP) out.whole(0);
      else out.digits(ONE, 1, GROUPS * step);
    }
  }
}

/** Calls of several Mandanten as columns. */
export function singleColumns(parts: readonly NumberedSingles[]): SingleColumns {
  const rows = new SingleRows();
  for (const part of parts)
    for (const [index, single] of part.singles.entries()) rows.add(part, index, single);
  return rows.finish();
}
