/**
 * The form in which an accepted batch waits in the inbox: its events by column, every text once. Made of what was parsed
 * and checked at the door, so that counting takes the values from where they stand and parses nothing again.
 *
 * Layout, numbers in the byte order of all machines in use (little-endian): head; columns of 8-byte floats, which count
 * exactly to 2^53 (NaN is null); columns of 4-byte integers; ids and fingerprints; flags; where each text ends; the texts
 * in UTF-8.
 */
import type { EreignisEingang, Static } from '#contracts';
import { UUID_BYTES, uuidText } from '#kernel/hex.ts';
import { isoOf } from '#kernel/microseconds.ts';

export type EventIn = Static<typeof EreignisEingang>;

/** First byte of the form; JSON never begins with it. */
export const FORMAT = 1;
/** Format, number of events, number of texts; 4 bytes each and 4 unused. */
const HEAD = 16;
const FLOAT = Float64Array.BYTES_PER_ELEMENT;
const INT = Uint32Array.BYTES_PER_ELEMENT;
export const FINGERPRINT_BYTES = 8;

/** Columns of counts. */
export const COUNTS = [
  'schritt_nr',
  'eingabe_token',
  'ausgabe_token',
  'cache_lese_token',
  'cache_schreib_token',
  'denk_token',
  'werkzeugaufrufe',
  'latenz_ms',
  'erste_zeichen_ms',
] as const;
export const TEXTS = [
  'anbieter',
  'modell',
  'agent',
  'lauf_id',
  'status',
  'fehlercode',
  'endkunde_ref',
  'funktion_ref',
  'benutzer_ref',
  'quelle',
] as const;
export const FINGERPRINTS = ['prompt_fingerabdruck', 'werkzeug_fingerabdruck'] as const;

export type CountColumn = (typeof COUNTS)[number];
/** Left out these counts mean 0; an explicit null stays null. */
const ZERO_UNLESS_SENT: ReadonlySet<string> = new Set([
  'cache_lese_token',
  'cache_schreib_token',
  'denk_token',
  'werkzeugaufrufe',
]);
/** What a count is that was left out; NaN is null. */
export const countLeftOut = (name: CountColumn): number => (ZERO_UNLESS_SENT.has(name) ? 0 : Number.NaN);
/** The free data are kept as a text of JSON. */
export type TextColumn = (typeof TEXTS)[number] | 'zusatz';
type Fingerprint = (typeof FINGERPRINTS)[number];

/** Bits of an event's flags. */
export const GESCHAETZT = 1;
export const HAS_PARENT = 2;
/** The first of the fingerprints; the next one has the next bit. */
export const HAS_FINGERPRINT = 4;

/** Hands out neighbouring columns of so many events in one memory. */
function createCarver(bytes: Uint8Array, events: number) {
  let end = bytes.byteOffset + HEAD;
  const take = (size: number): number => {
    const start = end;
    end += size * events;
    return start;
  };
  return {
    floats: () => new Float64Array(bytes.buffer, take(FLOAT), events),
    integers: () => new Uint32Array(bytes.buffer, take(INT), events),
    bytes: (size: number) => Buffer.from(bytes.buffer, take(size), size * events),
  };
}

const ROW =
  FLOAT * (1 + COUNTS.length) + INT * (1 + TEXTS.length + 1) + 2 * UUID_BYTES + 2 * FINGERPRINT_BYTES + 1;
/** Bytes of head and columns; the ends of the texts are integers and begin at a multiple of their size. */
export const columnBytes = (events: number): number => Math.ceil((HEAD + ROW * events) / INT) * INT;

/** The columns of so many events in a memory that begins at a multiple of 8; filled in by who writes, read by who counts. */
export class BatchColumns {
  /** `zeitpunkt`: seconds since 1970 and the microseconds behind them. */
  readonly seconds: Float64Array;
  readonly micros: Uint32Array;
  readonly counts: Record<CountColumn, Float64Array>;
  /** Numbers of texts; 0 is null. */
  readonly texts: Record<TextColumn, Uint32Array>;
  readonly ereignis_id: Buffer;
  readonly eltern_span: Buffer;
  readonly fingerprints: Record<Fingerprint, Buffer>;
  readonly flags: Buffer;

  constructor(bytes: Uint8Array, events: number) {
    const carve = createCarver(bytes, events);
    const named = <N extends string, C>(names: readonly N[], column: () => C) =>
      Object.fromEntries(names.map((name) => [name, column()])) as Record<N, C>;
    this.seconds = carve.floats();
    this.counts = named(COUNTS, carve.floats);
    this.micros = carve.integers();
    this.texts = named<TextColumn, Uint32Array>([...TEXTS, 'zusatz'], carve.integers);
    this.ereignis_id = carve.bytes(UUID_BYTES);
    this.eltern_span = carve.bytes(UUID_BYTES);
    this.fingerprints = named(FINGERPRINTS, () => carve.bytes(FINGERPRINT_BYTES));
    this.flags = carve.bytes(1);
  }

  /** Makes all events such as have no field at all: nothing of what was there before stays behind. */
  clear(): void {
    for (const column of this.#all()) column.fill(0);
    for (const name of COUNTS) this.counts[name].fill(countLeftOut(name));
  }

  /** Takes the first events of other columns, as many as there are in both. */
  takeFrom(source: BatchColumns): void {
    const sources = source.#all();
    for (const [index, column] of this.#all().entries()) {
      const from = sources[index] as typeof column;
      column.set(from.length > column.length ? from.subarray(0, column.length) : from);
    }
  }

  #all(): (Float64Array | Uint32Array | Uint8Array)[] {
    const { seconds, micros, counts, texts, ereignis_id, eltern_span, fingerprints, flags } = this;
    const named = [counts, texts, fingerprints].flatMap((columns) => Object.values(columns));
    return [seconds, micros, ereignis_id, eltern_span, flags, ...named];
  }
}

/** A whole batch in its packed form: the columns, where each of the texts ends, and the texts. */
export function assemble(events: number, fill: (columns: BatchColumns) => PackedTexts): Buffer {
  const bytes = new Uint8Array(columnBytes(events));
  const { ends, bytes: texts } = fill(new BatchColumns(bytes, events));
  new Uint32Array(bytes.buffer, 0, 3).set([FORMAT, events, ends.length - 1]);
  return Buffer.concat([bytes, new Uint8Array(ends.buffer), texts]);
}

/** The texts of a batch: number `n`, from 1, goes from `ends[n - 1]` to `ends[n]`. */
export interface PackedTexts {
  ends: Uint32Array;
  bytes: Buffer;
}

/** Puts texts one behind the other. */
export function joinTexts(pieces: Uint8Array[]): PackedTexts {
  const ends = new Uint32Array(pieces.length + 1);
  for (const [index, piece] of pieces.entries()) ends[index + 1] = (ends[index] as number) + piece.length;
  return { ends, bytes: Buffer.concat(pieces) };
}

/** A batch as it waited, ready to be read. */
export class PackedBatch {
  readonly events: number;
  readonly columns: BatchColumns;
  /** The bytes of all texts; number `n` goes from `ends[n - 1]` to `ends[n]`. */
  readonly textBytes: Buffer;
  readonly ends: Uint32Array;
  readonly #texts: (string | undefined)[] = [];

  /** `bytes` as `packBatch` made them. Throws RangeError on others. */
  constructor(bytes: Uint8Array) {
    const aligned = bytes.byteOffset % FLOAT === 0 ? bytes : new Uint8Array(bytes);
    const [, events = 0, texts = 0] = new Uint32Array(aligned.buffer, aligned.byteOffset, 3);
    const start = columnBytes(events);
    const textStart = start + INT * (texts + 1);
    // The memory goes on behind the bytes, with whatever was there before.
    if (textStart > aligned.length) throw new RangeError('not a packed batch');
    this.events = events;
    this.columns = new BatchColumns(aligned, events);
    this.ends = new Uint32Array(aligned.buffer, aligned.byteOffset + start, texts + 1);
    this.textBytes = Buffer.from(aligned.buffer, aligned.byteOffset + textStart, aligned.length - textStart);
    if (this.ends[texts] !== this.textBytes.length) throw new RangeError('not a packed batch');
  }

  /** A text by its number; null for 0. */
  text(number: number): string | null {
    if (number === 0) return null;
    const known = this.#texts[number];
    if (known !== undefined) return known;
    const text = this.textBytes.toString('utf8', this.ends[number - 1], this.ends[number]);
    this.#texts[number] = text;
    return text;
  }

  /** The events as objects, as they were sent; what was null is left out, what was assigned at the door is there. */
  *toEvents(): Generator<EventIn, void> {
    for (let index = 0; index < this.events; index += 1) yield this.#event(index);
  }

  #event(index: number): EventIn {
    const { columns } = this;
    const flags = columns.flags[index] ?? 0;
    const zusatz = this.text(columns.texts.zusatz[index] ?? 0);
    const counts = COUNTS.map((name) => [name, columns.counts[name][index]] as const);
    const texts = TEXTS.map((name) => [name, this.text(columns.texts[name][index] ?? 0)] as const);
    const prints = FINGERPRINTS.filter((_, bit) => flags & (HAS_FINGERPRINT << bit)).map((name) => {
      const at = FINGERPRINT_BYTES * index;
      return [name, columns.fingerprints[name].toString('hex', at, at + FINGERPRINT_BYTES)] as const;
    });
    return {
      ereignis_id: uuidText(columns.ereignis_id, UUID_BYTES * index),
      zeitpunkt: isoOf({ seconds: columns.seconds[index] ?? 0, micros: columns.micros[index] ?? 0 }),
      ...Object.fromEntries(texts.filter(([, text]) => text !== null)),
      ...Object.fromEntries(counts.filter(([, count]) => !Number.isNaN(count))),
      ...(flags & HAS_PARENT ? { eltern_span: uuidText(columns.eltern_span, UUID_BYTES * index) } : {}),
      ...Object.fromEntries(prints),
      geschaetzt: (flags & GESCHAETZT) !== 0,
      ...(zusatz === null ? {} : { zusatz: JSON.parse(zusatz) as Record<string, unknown> }),
    };
  }
}
