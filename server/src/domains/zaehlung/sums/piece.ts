/** What events add to the sums, as rows of a piece. */
import { DIMENSION_NAMES, FIGURE_NAMES } from '#contracts';
import {
  AMOUNT_NAMES,
  COUNT_NAMES,
  type CountName,
  HISTOGRAMS,
  PieceRows,
} from '#domains/verbrauch/index.ts';
import type { CountedEvent } from '../normalise.ts';
import type { Addend } from './figures.ts';
import { PLACES } from './values.ts';

const MINUTE = 60;
const MS_OF_MINUTE = 60_000;
const MS_OF_DAY = 86_400_000;

const COUNTS = COUNT_NAMES.map((name) => ({ name, figure: FIGURE_NAMES.indexOf(name) }));
const AMOUNTS = AMOUNT_NAMES.map((name) => ({ name, figure: FIGURE_NAMES.indexOf(name) }));
const VALUES = DIMENSION_NAMES.map((name) => ({ name, place: PLACES[name] }));

/** What a row has no room for of a count that is the sum of two: the next row has it. */
interface Beyond {
  name: CountName;
  rest: number;
}

const MOST = Number.MAX_SAFE_INTEGER;
const isSafe = (value: bigint): boolean => value <= MOST && value >= -MOST;

/** The piece of a stretch, and the local days it is of. */
export interface WrittenPiece {
  rows: number;
  /** `YYYY-MM-DD` */
  first: string;
  last: string;
  bytes: Buffer;
}

/** The piece that the events of one Mandant make, with the values of dimensions as `Values` numbers them. */
export class Piece {
  readonly #rows = new PieceRows();
  #first = '';
  #last = '';
  /** Of the hour that came last. */
  #hour = '';
  #stunde = 0;
  #tag = 0;

  /** Adds what an event adds; the addend has read it. */
  add(event: CountedEvent, values: Uint32Array, addend: Addend): void {
    const rows = this.#rows;
    this.#turnTo(event);
    this.#begin(event, values);
    let beyond: Beyond[] | null = null;
    for (const { name, figure } of COUNTS) {
      const value = addend.figure(figure);
      if (typeof value === 'number' || isSafe(value)) rows.set(name, Number(value));
      else {
        const most = value < 0n ? -MOST : MOST;
        rows.set(name, most);
        beyond = [...(beyond ?? []), { name, rest: Number(value - BigInt(most)) }];
      }
    }
    for (const { name, figure } of AMOUNTS) rows.setAmount(name, addend.figure(figure) as bigint);
    for (const [index, name] of HISTOGRAMS.entries()) rows.set(name, (addend.steps[index] as number) + 1);
    if (!beyond) return;
    this.#begin(event, values);
    for (const { name, rest } of beyond) rows.set(name, rest);
  }

  /** Null where nothing was added. `ids`: `merkmal_id` by value. */
  pack(ids: Int32Array): WrittenPiece | null {
    const { count } = this.#rows;
    if (count === 0) return null;
    return {
      rows: count,
      first: this.#first,
      last: this.#last,
      bytes: this.#rows.pack(DIMENSION_NAMES, ids),
    };
  }

  /** A row of the event's time and values. */
  #begin({ seconds }: CountedEvent, values: Uint32Array): void {
    const rows = this.#rows;
    rows.add();
    rows.set('tag', this.#tag);
    rows.set('stunde', this.#stunde);
    rows.set('minute', Math.floor(seconds / MINUTE));
    for (const { name, place } of VALUES) rows.set(name, values[place] as number);
  }

  #turnTo({ stunde, tag }: CountedEvent): void {
    if (stunde === this.#hour) return;
    this.#hour = stunde;
    this.#stunde = Date.parse(stunde) / MS_OF_MINUTE;
    this.#tag = Date.parse(tag) / MS_OF_DAY;
    if (this.#first === '' || tag < this.#first) this.#first = tag;
    if (tag > this.#last) this.#last = tag;
  }
}
