/** What events add to the sums, as rows of a piece. */
import { DIMENSION_NAMES, FIGURE_NAMES, OWN_DIMENSION_NAMES } from '#contracts';
import { AMOUNT_NAMES, COUNT_NAMES, HISTOGRAMS, PieceRows } from '#domains/verbrauch/index.ts';
import type { CountedEvent } from '../normalise.ts';
import type { Addend } from './figures.ts';
import { OWN_PLACES, PLACES } from './values.ts';

const MINUTE = 60;
const MS_OF_MINUTE = 60_000;
const MS_OF_DAY = 86_400_000;
/** Of counts, what a number holds exactly. */
const SAFE = BigInt(Number.MAX_SAFE_INTEGER);

const COUNTS = COUNT_NAMES.map((name) => ({ name, figure: FIGURE_NAMES.indexOf(name) }));
const AMOUNTS = AMOUNT_NAMES.map((name) => ({ name, figure: FIGURE_NAMES.indexOf(name) }));
const DIMENSIONS = [...DIMENSION_NAMES, ...OWN_DIMENSION_NAMES];
const VALUES = [
  ...DIMENSION_NAMES.map((name) => ({ name, place: PLACES[name] })),
  ...OWN_DIMENSION_NAMES.map((name) => ({ name, place: OWN_PLACES[name] })),
];

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
    if (addend.beyond.size > 0) this.#addBeyond(event, values, addend);
    this.#begin(event, values);
    for (const { name, figure } of COUNTS) {
      const count = addend.figure(figure);
      // Put into rows of its own before, as far as no number holds it.
      rows.set(name, typeof count === 'number' ? count : Number(count % SAFE));
    }
    for (const { name, figure } of AMOUNTS) rows.setAmount(name, addend.figure(figure) as bigint);
    for (const [index, name] of HISTOGRAMS.entries()) rows.set(name, (addend.steps[index] as number) + 1);
  }

  /** Rows of what of the counts no number holds exactly. */
  #addBeyond(event: CountedEvent, values: Uint32Array, addend: Addend): void {
    for (const { name, figure } of COUNTS) {
      const count = BigInt(addend.figure(figure));
      for (let times = count / SAFE; times !== 0n; times -= times < 0n ? -1n : 1n) {
        this.#begin(event, values);
        this.#rows.set(name, Number(times < 0n ? -SAFE : SAFE));
      }
    }
  }

  /** A row with nothing but what says which calls it is about. */
  #begin(event: CountedEvent, values: Uint32Array): void {
    const rows = this.#rows;
    rows.add();
    rows.set('tag', this.#tag);
    rows.set('stunde', this.#stunde);
    rows.set('minute', Math.floor(event.seconds / MINUTE));
    for (const { name, place } of VALUES) rows.set(name, values[place] as number);
  }

  /** Null where nothing was added. `ids`: `merkmal_id` by value. */
  pack(ids: Int32Array): WrittenPiece | null {
    const { count } = this.#rows;
    if (count === 0) return null;
    return {
      rows: count,
      first: this.#first,
      last: this.#last,
      bytes: this.#rows.pack(DIMENSIONS, ids),
    };
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
