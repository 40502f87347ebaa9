/**
 * Lists of former releases: what the calls of a day with one value came to by the values of another dimension, packed. Behind its version and
 * the number of groups come the numbers of their values in ascending order, each as its distance to the one before, then the figures that
 * are not all 0, a column each: which one it is, decimal places of its unit, bytes of a number, and the lowest byte of all numbers, the
 * next one of all, and so on. Numbers below 0 or above 128 bits follow in a column of their own, one by one, as signed LEB128 of any
 * length; all else is LEB128. A long list is compressed (Zstandard) behind a version of its own.
 */
import { zstdDecompressSync } from 'node:zlib';
import { FIGURE_NAMES, type FigureName } from '#contracts';
import { EUR_SCALE } from '#kernel/money.ts';

const VERSION = 1;
const COMPRESSED = 2;
/** Which column is which. */
const COLUMNS: readonly FigureName[] = [
  'aufrufe',
  'fehler',
  'unbepreist',
  'teilbepreist',
  'geschaetzt',
  'eingabe_token',
  'ausgabe_token',
  'cache_lese_token',
  'cache_schreib_token',
  'denk_token',
  'kosten_usd',
  'kosten_eur',
  'geschaetzt_eur',
  'ersatz_eur',
  'verbranntes_geld_eur',
  'eingabe_ohne_cache',
  'ausgabe_gesamt',
  'aufgeteilt',
];
/** In place of the number of bytes. */
const BEYOND = 0x7f;
const BYTE_BITS = 8n;

/** Reads from one place after the other. */
class Source {
  readonly bytes: Buffer;
  at = 0;

  constructor(bytes: Buffer) {
    this.bytes = bytes;
  }

  get isOver(): boolean {
    return this.at >= this.bytes.length;
  }

  #leb(): bigint {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = this.bytes[this.at++] as number;
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
  }

  whole(): number {
    return Number(this.#leb());
  }

  signed(): bigint {
    const value = this.#leb();
    return value & 1n ? -(value + 1n) / 2n : value / 2n;
  }

  /** Numbers of so many bytes each, the lowest bytes of all of them first. */
  planes(bytes: number, count: number): bigint[] {
    const values = Array.from({ length: count }, (_, index) => {
      let value = 0n;
      for (let byte = bytes - 1; byte >= 0; byte -= 1)
        value = (value << BYTE_BITS) | BigInt(this.bytes[this.at + byte * count + index] as number);
      return value;
    });
    this.at += bytes * count;
    return values;
  }
}

/** What the calls with a value of the other dimension came to. */
export interface ListedGroup {
  merkmal: number;
  /** In the order of `FIGURE_NAMES`: whole calls and tokens, amounts in 10^-34 of their currency. */
  values: bigint[];
}

const isAmount = (name: FigureName) => name.endsWith('_usd') || name.endsWith('_eur');

/** The groups of a list. Throws RangeError where a later version has written it. */
export function readFormerList(list: Buffer): ListedGroup[] {
  const source = new Source(list[0] === COMPRESSED ? zstdDecompressSync(list.subarray(1)) : list);
  const version = source.whole();
  if (version !== VERSION) throw new RangeError(`a list of version ${version}`);
  let merkmal = 0;
  const groups = Array.from({ length: source.whole() }, (): ListedGroup => {
    merkmal += source.whole();
    return { merkmal, values: FIGURE_NAMES.map(() => 0n) };
  });
  while (!source.isOver) {
    const name = COLUMNS[source.whole()];
    if (name === undefined) throw new RangeError('a list with a figure of a later version');
    const factor = 10n ** BigInt(isAmount(name) ? EUR_SCALE - source.whole() : source.whole());
    const bytes = source.whole();
    const numbers =
      bytes === BEYOND ? groups.map(() => source.signed()) : source.planes(bytes, groups.length);
    const figure = FIGURE_NAMES.indexOf(name);
    for (const [index, { values }] of groups.entries())
      values[figure] = (values[figure] as bigint) + (numbers[index] as bigint) * factor;
  }
  return groups;
}
