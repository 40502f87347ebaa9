/**
 * The fast path: batches as nearly everybody sends them go from the bytes of the request straight into the packed form,
 * without objects for their events. What is taken here the fallback (parse, check, pack) would take as well, with the same
 * result; everything else is left to it, from the first event that is not taken: no event is read twice.
 */
import { isUtf8 } from 'node:buffer';
import { randomUUID } from 'node:crypto';
import { MAX_EVENTS_PER_BATCH } from '#contracts';
import { Extent } from '#http/check/index.ts';
import { UUID_BYTES, uuidBytes } from '#kernel/hex.ts';
import { instantOf, type Microseconds } from '#kernel/microseconds.ts';
import type { Parts } from '../facts.ts';
import { BITS, clearRow, copyColumns, createColumns, ZERO_WHEN_LEFT_OUT } from '../packed/format.ts';
import { assemble, createWriter, type EventIn } from '../packed/write.ts';
import { boundsAt } from '../rules.ts';
import { END, FALL_BACK, JsonCursor, wordOf } from './cursor.ts';
import { createFields, type Field, parseJson, type Target } from './fields.ts';
import { ByteStringDictionary } from './string-dictionary.ts';

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const FIRST_OF_NULL = 0x6e;
const NULL = wordOf('null');
const NAME_OF_LIST = 'ereignisse';
const LIST = wordOf(`"${NAME_OF_LIST}"`);

/** Room for the events of a usual batch; more is taken for as long as one batch needs it. */
const FIRST_ROOM = 256;
const NO_BYTES = Buffer.alloc(0);
/** Of this many bytes a number holds even the sum of several exactly. */
const PART_BYTES = 6;

/** What every event has, given or not. */
const ALWAYS = BITS.ereignis_id | BITS.zeitpunkt;

/** A number from all bytes of an id: those that count up, or begin with the time, differ in a few of them only. */
const sumOf = (ids: Buffer, at: number): number =>
  ids.readUIntBE(at, PART_BYTES) + ids.readUIntBE(at + PART_BYTES, PART_BYTES) + ids.readUInt32BE(at + 12);

/** True when two ids may be the same. Equal sums of different ones are as good as never. */
function mayRepeat(ids: Buffer, events: number): boolean {
  const sums = new Float64Array(events);
  for (let index = 0; index < events; index += 1) sums[index] = sumOf(ids, UUID_BYTES * index);
  sums.sort();
  return sums.some((value, index) => value === sums[index - 1]);
}

/** How many ids stand before already. */
function countRepeats(ids: Buffer, events: number): number {
  if (!mayRepeat(ids, events)) return 0;
  const distinct = new Set<string>();
  for (let at = 0; at < UUID_BYTES * events; at += UUID_BYTES)
    distinct.add(ids.toString('latin1', at, at + UUID_BYTES));
  return events - distinct.size;
}

/** A batch that was read, with all that is asked of it before it is stored. */
export interface ScannedBatch {
  /** How many events. */
  events: number;
  /** How many of them repeat one of the same batch. */
  repeats: number;
  /** As `packBatch` makes it. */
  packed: Buffer;
}

/**
 * Reads what the fast path has stopped at: the list from the event that begins at `start`, before which there are this many
 * others. Answers the events, checked; null when the whole body is better left to the fallback.
 */
export type TakeRest = (before: number, start: number) => readonly EventIn[] | null;

/** Reads one batch at a time; its memory is kept for the next ones. */
export class BatchScanner {
  #room = FIRST_ROOM;
  #target: Target = {
    columns: createColumns(FIRST_ROOM),
    texts: new ByteStringDictionary(),
    bounds: boundsAt(new Date(0)),
    extent: new Extent(0),
    parts: new Map(),
    due: undefined,
  };
  #zeitpunkt = this.#target.columns.of('zeitpunkt');
  #fields = createFields(this.#target);
  /** The fields in the order of the event before: senders hardly ever change it. */
  #order: Field[] = [];

  /**
   * Reads the bytes of a body. Events without a time get `receivedAt`. Null when the batch is left to the fallback: one that
   * is of another form, is empty, or holds what must be refused.
   */
  scan(bytes: Buffer, receivedAt: Date, takeRest: TakeRest = () => null): ScannedBatch | null {
    if (!isUtf8(bytes)) return null;
    try {
      const events = this.#readAll(bytes, receivedAt, takeRest);
      const { columns, texts } = this.#target;
      const repeats = countRepeats(columns.of('ereignis_id'), events);
      const room = { bytes: columns.bytes, events: this.#room };
      return { events, repeats, packed: assemble(events, room, texts.toPacked()) };
    } catch (error) {
      if (error === FALL_BACK) return null;
      throw error;
    } finally {
      this.#target.texts.reset(NO_BYTES);
      if (this.#room > FIRST_ROOM) this.#takeColumns(FIRST_ROOM);
    }
  }

  /** Answers how many events there are. */
  #readAll(bytes: Buffer, receivedAt: Date, takeRest: TakeRest): number {
    const cursor = new JsonCursor(bytes);
    this.#target.texts.reset(bytes);
    this.#target.bounds = boundsAt(receivedAt);
    this.#target.extent = new Extent(bytes.length);
    this.#target.parts.clear();
    this.#target.columns.bytes.fill(0);
    cursor.take(OPEN_OBJECT);
    cursor.peek();
    if (!cursor.takesWord(LIST)) throw FALL_BACK;
    cursor.take(COLON);
    cursor.take(OPEN_ARRAY);
    const last = { index: 0, start: cursor.at };
    try {
      this.#readList(cursor, instantOf(receivedAt.toISOString()), last);
      return last.index + 1;
    } catch (error) {
      if (error !== FALL_BACK || last.index === 0) throw error;
      return this.#takeRest(last, receivedAt, takeRest);
    }
  }

  /** Reads the events and what follows them; notes which one has begun last, and where. */
  #readList(cursor: JsonCursor, now: Microseconds, last: { index: number; start: number }): void {
    let index = 0;
    do {
      // What begins otherwise is no event, and may be no more than a comma too many.
      if (cursor.peek() !== OPEN_OBJECT) throw FALL_BACK;
      last.index = index;
      last.start = cursor.at;
      if (index === this.#room) this.#makeRoom();
      this.#readEvent(cursor, index, now);
      index += 1;
    } while (cursor.takes(COMMA));
    cursor.take(CLOSE_ARRAY);
    this.#passMembers(cursor);
    cursor.take(CLOSE_OBJECT);
    if (cursor.peek() !== END) throw FALL_BACK;
  }

  /** Passes over what stands in the body behind its list, which nobody asks for; another list counts instead of this one. */
  #passMembers(cursor: JsonCursor): void {
    if (!cursor.takes(COMMA)) return;
    if (cursor.peek() !== QUOTE) throw FALL_BACK;
    const { bytes, at } = cursor;
    if (this.#target.extent.add(bytes, at, bytes.length, 1)) throw FALL_BACK;
    const members = parseJson(`{${bytes.toString('utf8', at)}`) as object;
    if (Object.hasOwn(members, NAME_OF_LIST)) throw FALL_BACK;
    cursor.at = bytes.lastIndexOf('}');
  }

  /** Puts the events in place of the one that has begun last, which the columns may hold in part. */
  #takeRest(last: { index: number; start: number }, receivedAt: Date, takeRest: TakeRest): number {
    const rest = takeRest(last.index, last.start);
    if (rest === null) throw FALL_BACK;
    const events = last.index + rest.length;
    while (this.#room < events) this.#makeRoom();
    const { columns, texts } = this.#target;
    clearRow({ bytes: columns.bytes, events: this.#room }, last.index);
    const numbers = { numberOf: (text: string) => texts.numberOfText(text) };
    const write = createWriter(columns, numbers, receivedAt.toISOString());
    for (const [index, event] of rest.entries()) write(event, last.index + index);
    return events;
  }

  /** Goes on with more room. A batch that needs all of it has too many events. */
  #makeRoom(): void {
    if (this.#room === MAX_EVENTS_PER_BATCH) throw FALL_BACK;
    const before = { bytes: this.#target.columns.bytes, events: this.#room };
    this.#takeColumns(Math.min(4 * this.#room, MAX_EVENTS_PER_BATCH));
    copyColumns(before, { bytes: this.#target.columns.bytes, events: this.#room }, before.events);
  }

  #takeColumns(room: number): void {
    this.#room = room;
    this.#target.columns = createColumns(room);
    this.#zeitpunkt = this.#target.columns.of('zeitpunkt');
    this.#fields = createFields(this.#target);
    this.#order = [];
  }

  #readEvent(cursor: JsonCursor, index: number, now: Microseconds): void {
    const { seconds, micros } = this.#zeitpunkt;
    seconds[index] = now.seconds;
    micros[index] = now.micros;
    this.#target.due = undefined;
    const present = this.#readFields(cursor, index);
    if (this.#target.due) this.#holdParts(this.#target.due, index, present);
    this.#target.columns.present[index] = present | ALWAYS;
    if ((present & BITS.ereignis_id) === 0)
      this.#target.columns.of('ereignis_id').set(uuidBytes(randomUUID()), UUID_BYTES * index);
    cursor.take(CLOSE_OBJECT);
  }

  /** Whether input that excludes the cache holds more parts than its own count, the fallback says. */
  #holdParts(parts: Parts, index: number, present: number): void {
    for (const [whole, sum] of parts)
      if ((present & BITS[whole]) !== 0 && sum > (this.#target.columns.of(whole)[index] as number))
        throw FALL_BACK;
  }

  /** Answers the bits of what the event has. */
  #readFields(cursor: JsonCursor, index: number): number {
    cursor.take(OPEN_OBJECT);
    if (cursor.peek() === CLOSE_OBJECT) return ZERO_WHEN_LEFT_OUT;
    let named = 0;
    let present = 0;
    let position = 0;
    do {
      const field = this.#readName(cursor, position);
      // Of a name that comes twice the last value counts; nobody means to send that.
      if ((named & field.bit) !== 0) throw FALL_BACK;
      named |= field.bit;
      cursor.take(COLON);
      if (cursor.peek() !== FIRST_OF_NULL) {
        field.read(cursor, index);
        present |= field.bit;
      } else if (!field.nullable || !cursor.takesWord(NULL)) throw FALL_BACK;
      position += 1;
    } while (cursor.takes(COMMA));
    return present | (ZERO_WHEN_LEFT_OUT & ~named);
  }

  #readName(cursor: JsonCursor, position: number): Field {
    cursor.peek();
    const expected = this.#order[position];
    if (expected && cursor.takesWord(expected.key)) return expected;
    cursor.text();
    const field = this.#fields.get(cursor.bytes.toString('latin1', cursor.start, cursor.end));
    if (!field) throw FALL_BACK;
    this.#order[position] = field;
    return field;
  }
}
