/**
 * A list: what the calls of a day with one value came to by the values of another dimension, packed. Behind its version and the
 * number of groups come the numbers of their values in ascending order, each as its distance to the one before, then the figures that
 * are not all 0, a column each: which one it is, decimal places of its unit, bytes of a number, and the lowest byte of all numbers, the
 * next one of all, and so on. So each is added in a loop without a branch, and bytes that are mostly 0 lie together. Numbers below 0 or
 * above 128 bits follow in a column of their own, one by one, as signed LEB128 of any length; all else is LEB128. A long list is
 * compressed (Zstandard) behind a version of its own.
 */
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { FIGURE_NAMES, type FigureName } from '#contracts';
import type { GroupSums } from './group-sums.ts';
import type { Numbers } from './numbers.ts';

const VERSION = 1;
const COMPRESSED = Buffer.from([2]);
/** Bytes from which on a list is compressed: shorter ones gain little, and there are many. */
const LONG = 512;
/** Which column is which; a number is never given twice. */
const NUMBERS: Record<FigureName, number> = {
  aufrufe: 0,
  fehler: 1,
  unbepreist: 2,
  teilbepreist: 3,
  geschaetzt: 4,
  eingabe_token: 5,
  ausgabe_token: 6,
  cache_lese_token: 7,
  cache_schreib_token: 8,
  denk_token: 9,
  kosten_usd: 10,
  kosten_eur: 11,
  geschaetzt_eur: 12,
  ersatz_eur: 13,
  verbranntes_geld_eur: 14,
  eingabe_ohne_cache: 15,
  ausgabe_gesamt: 16,
  aufgeteilt: 17,
};
const FIGURE_OF: readonly number[] = Object.entries(NUMBERS)
  .toSorted(([, a], [, b]) => a - b)
  .map(([name]) => FIGURE_NAMES.indexOf(name as FigureName));
/** In place of the number of bytes. */
const BEYOND = 0x7f;
const BYTE_BITS = 8;
const LIMB_BYTES = 4;

// ── writing ─────────────────────────────────────────────────────────────────────────────────────────────────

class Out {
  #bytes = Buffer.allocUnsafe(256);
  #length = 0;

  whole(value: number): void {
    this.#reserve(8);
    let rest = value;
    while (rest > 0x7f) {
      this.#bytes[this.#length++] = (rest % 0x80) | 0x80;
      rest = Math.floor(rest / 0x80);
    }
    this.#bytes[this.#length++] = rest;
  }

  /** Byte number `byte` of each of the numbers. */
  plane(limb: Float64Array, byte: number, places: Int32Array): void {
    this.#reserve(places.length);
    const shift = BYTE_BITS * byte;
    for (let index = 0; index < places.length; index += 1)
      this.#bytes[this.#length++] = (limb[places[index] as number] ?? 0) >>> shift;
  }

  signed(value: bigint): void {
    let rest = value < 0n ? -value * 2n - 1n : value * 2n;
    while (rest > 0x7fn) {
      this.whole(Number(rest & 0x7fn));
      this.#bytes[this.#length - 1] = (this.#bytes[this.#length - 1] as number) | 0x80;
      rest >>= 7n;
    }
    this.whole(Number(rest));
  }

  /** What was written, to begin anew. */
  take(): Buffer {
    const bytes = Buffer.from(this.#bytes.subarray(0, this.#length));
    this.#length = 0;
    return bytes;
  }

  #reserve(bytes: number): void {
    if (this.#length + bytes > this.#bytes.length)
      this.#bytes = Buffer.concat([this.#bytes], 2 * this.#bytes.length + bytes);
  }
}

/** How many bytes the largest of these numbers has; 0 where all are 0. */
function bytesOf({ limbs }: Numbers, places: Int32Array): number {
  for (let index = limbs.length - 1; index >= 0; index -= 1) {
    const limb = limbs[index] as Float64Array;
    let most = 0;
    for (let at = 0; at < places.length; at += 1) most = Math.max(most, limb[places[at] as number] ?? 0);
    if (most > 0) return LIMB_BYTES * index + Math.ceil(Math.log2(most + 1) / BYTE_BITS);
  }
  return 0;
}

function writeNumbers(out: Out, name: FigureName, numbers: Numbers, places: Int32Array): void {
  const bytes = bytesOf(numbers, places);
  if (bytes > 0) {
    out.whole(NUMBERS[name]);
    out.whole(numbers.scale);
    out.whole(bytes);
    for (let byte = 0; byte < bytes; byte += 1)
      out.plane(numbers.limbs[Math.floor(byte / LIMB_BYTES)] as Float64Array, byte % LIMB_BYTES, places);
  }
  if (numbers.beyond.size === 0) return;
  const beyond = Array.from(places, (place) => numbers.beyond.get(place) ?? 0n);
  if (beyond.every((value) => value === 0n)) return;
  out.whole(NUMBERS[name]);
  out.whole(numbers.scale);
  out.whole(BEYOND);
  for (const value of beyond) out.signed(value);
}

/** Lists of groups of the sums, which must not change any more. Values are named by `merkmale`: those of the sums unless given. */
export class ListWriter {
  readonly #merkmale: ArrayLike<number>;
  readonly #figures: { name: FigureName; numbers: Numbers }[];
  readonly #out = new Out();

  constructor(sums: GroupSums, merkmale: ArrayLike<number> = sums.merkmale) {
    this.#merkmale = merkmale;
    this.#figures = FIGURE_NAMES.flatMap((name, figure) =>
      sums.units(figure).map((numbers) => ({ name, numbers })),
    );
    for (const { numbers } of this.#figures) numbers.settle(sums.groups);
  }

  /** The groups at these places as a list; the places are put in order. */
  list(places: Int32Array): Buffer {
    const merkmale = this.#merkmale;
    if (places.length > 1) places.sort((a, b) => (merkmale[a] as number) - (merkmale[b] as number));
    const out = this.#out;
    out.whole(VERSION);
    out.whole(places.length);
    let last = 0;
    for (let index = 0; index < places.length; index += 1) {
      const merkmal = merkmale[places[index] as number] as number;
      out.whole(merkmal - last);
      last = merkmal;
    }
    for (const { name, numbers } of this.#figures) writeNumbers(out, name, numbers, places);
    const list = out.take();
    return list.length < LONG ? list : Buffer.concat([COMPRESSED, zstdCompressSync(list)]);
  }
}

/** All groups as one list. */
export const toList = (sums: GroupSums): Buffer =>
  new ListWriter(sums).list(Int32Array.from(sums.merkmale.keys()));

// ── reading ─────────────────────────────────────────────────────────────────────────────────────────────────

/** Reads from one place after the other. */
class In {
  readonly bytes: Buffer;
  at = 0;

  constructor(bytes: Buffer) {
    this.bytes = bytes;
  }

  get isOver(): boolean {
    return this.at >= this.bytes.length;
  }

  whole(): number {
    let byte = this.bytes[this.at++] as number;
    let value = byte & 0x7f;
    for (let unit = 0x80; byte > 0x7f; unit *= 0x80) {
      byte = this.bytes[this.at++] as number;
      value += (byte & 0x7f) * unit;
    }
    return value;
  }

  signed(): bigint {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = this.bytes[this.at++] as number;
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) break;
    }
    return value & 1n ? -(value + 1n) / 2n : value / 2n;
  }
}

/** A column of a list: a figure in a unit, the bytes of a number, and where the first plane begins; numbers themselves beyond planes. */
interface Column {
  figure: number;
  scale: number;
  bytes: number;
  start: number;
  beyond: bigint[] | null;
}

function readColumn(from: In, groups: number): Column {
  const figure = FIGURE_OF[from.whole()];
  if (figure === undefined) throw new RangeError('a list with a figure of a later version');
  const column = { figure, scale: from.whole(), bytes: from.whole(), start: from.at, beyond: null };
  if (column.bytes === BEYOND)
    return { ...column, bytes: 0, beyond: Array.from({ length: groups }, () => from.signed()) };
  from.at += column.bytes * groups;
  return column;
}

/** Adds a byte of each of the numbers, which is worth `unit`. In a loop of its own, since there are millions of numbers. */
function addPlane(sums: Float64Array, unit: number, bytes: Buffer, start: number, places: Int32Array): void {
  for (let index = 0; index < places.length; index += 1) {
    const place = places[index] as number;
    sums[place] = (sums[place] as number) + (bytes[start + index] as number) * unit;
  }
}

const opened = (list: Buffer): Buffer =>
  list[0] === COMPRESSED[0] ? zstdDecompressSync(list.subarray(COMPRESSED.length)) : list;

/** A list that is read, to be added to sums. */
export class OpenList {
  readonly #bytes: Buffer;
  readonly #merkmale: Int32Array;
  readonly #columns: readonly Column[];

  private constructor(bytes: Buffer, merkmale: Int32Array, columns: readonly Column[]) {
    this.#bytes = bytes;
    this.#merkmale = merkmale;
    this.#columns = columns;
  }

  /** Bytes that it takes, about. */
  get size(): number {
    return this.#bytes.length + this.#merkmale.byteLength;
  }

  /** Throws RangeError when a later version has written the list. */
  static of(list: Buffer): OpenList {
    const bytes = opened(list);
    const from = new In(bytes);
    const version = from.whole();
    if (version !== VERSION) throw new RangeError(`a list of version ${version}`);
    const merkmale = new Int32Array(from.whole());
    let merkmal = 0;
    for (let index = 0; index < merkmale.length; index += 1) {
      merkmal += from.whole();
      merkmale[index] = merkmal;
    }
    const columns: Column[] = [];
    while (!from.isOver) columns.push(readColumn(from, merkmale.length));
    return new OpenList(bytes, merkmale, columns);
  }

  /** Adds figures of all groups. */
  addTo(sums: GroupSums, names: readonly FigureName[] = FIGURE_NAMES): void {
    const places = new Int32Array(this.#merkmale.length);
    for (let index = 0; index < places.length; index += 1)
      places[index] = sums.placeOf(this.#merkmale[index] as number);
    for (const column of this.#columns)
      if (names.includes(FIGURE_NAMES[column.figure] as FigureName)) this.#addColumn(column, sums, places);
  }

  /** The same list with the groups alone that sums have. */
  within(sums: GroupSums): OpenList {
    const indices: number[] = [];
    for (let index = 0; index < this.#merkmale.length; index += 1)
      if (sums.has(this.#merkmale[index] as number)) indices.push(index);
    const planes = this.#columns.reduce((sum, { bytes }) => sum + bytes, 0);
    const picked = Buffer.allocUnsafe(planes * indices.length);
    let at = 0;
    const columns = this.#columns.map((column) => {
      const start = at;
      for (let byte = 0; byte < column.bytes; byte += 1) {
        const plane = column.start + byte * this.#merkmale.length;
        for (const index of indices) picked[at++] = this.#bytes[plane + index] as number;
      }
      const beyond = column.beyond && indices.map((index) => column.beyond?.[index] as bigint);
      return { ...column, start, beyond };
    });
    const merkmale = Int32Array.from(indices, (index) => this.#merkmale[index] as number);
    return new OpenList(picked, merkmale, columns);
  }

  #addColumn({ figure, scale, bytes, start, beyond }: Column, sums: GroupSums, places: Int32Array): void {
    const numbers = sums.numbers(figure, scale);
    for (let byte = 0; byte < bytes; byte += 1) {
      const limb = numbers.limb(Math.floor(byte / LIMB_BYTES), sums.groups);
      const unit = 2 ** (BYTE_BITS * (byte % LIMB_BYTES));
      addPlane(limb, unit, this.#bytes, start + byte * places.length, places);
    }
    for (const [index, value] of beyond?.entries() ?? []) numbers.add(places[index] as number, value);
  }
}

/** Adds a list to the sums. Throws RangeError when a later version has written it. */
export const addList = (sums: GroupSums, list: Buffer): void => OpenList.of(list).addTo(sums);
