/** The fields of an event, read from where they stand in the bytes of a batch into the columns of the packed form. */
import { type EventField, SENT_FIELDS, type SentName, type SentNameOf } from '#contracts';
import { type Extent, isInstant, isTame } from '#http/check/index.ts';
import { UUID_BYTES, UUID_LENGTH, writeHex, writeUuid } from '#kernel/hex.ts';
import { microsOf, secondsOf } from '#kernel/microseconds.ts';
import { type Parts, partsOf } from '../facts.ts';
import { type BatchColumns, BITS, FINGERPRINT_BYTES, type Kind } from '../packed/format.ts';
import type { Bounds } from '../rules.ts';
import { FALL_BACK, type JsonCursor, type Word, wordOf } from './cursor.ts';
import type { ByteStringDictionary } from './string-dictionary.ts';

/** What the fields are read into. */
export interface Target {
  columns: BatchColumns;
  texts: ByteStringDictionary;
  /** When an event may have been. */
  bounds: Bounds;
  /** What the free data hold that were looked into. */
  extent: Extent;
  /** By the number of free data: the parts of counts that they name, where they name some. */
  parts: Map<number, Parts>;
  /** Those of the event that is read, which its counts must hold. */
  due: Parts | undefined;
}

/** Reads the value at the cursor into the columns, as that of event number `index`. Throws `FALL_BACK`. */
type Read = (cursor: JsonCursor, index: number) => void;

export interface Field {
  /** The name as it stands in JSON. */
  key: Word;
  /** Tells the fields of an event apart, here as in the packed form. */
  bit: number;
  read: Read;
  /** Whether it may be null. */
  nullable: boolean;
}

/** Below how many levels of the body the free data of an event begin. */
const LEVEL_OF_FREE_DATA = 3;

const TRUE = wordOf('true');
const FALSE = wordOf('false');

const readCount = ({ columns }: Target, name: SentNameOf<'count'>): Read => {
  const column = columns.of(name);
  return (cursor, index) => {
    column[index] = cursor.count();
  };
};

/** Texts count in code points; not more bytes are not more code points. */
const readText = ({ columns, texts }: Target, name: SentNameOf<'text'>): Read => {
  const column = columns.of(name);
  const { max } = SENT_FIELDS[name];
  return (cursor, index) => {
    cursor.text();
    const { start, end } = cursor;
    if (end - start > max) throw FALL_BACK;
    column[index] = texts.numberOf(start - 1, end + 1);
  };
};

const readUuid = ({ columns }: Target, name: SentNameOf<'uuid'>): Read => {
  const column = columns.of(name);
  return (cursor, index) => {
    cursor.text();
    const { bytes, start, end } = cursor;
    if (end - start !== UUID_LENGTH || !writeUuid(column, UUID_BYTES * index, bytes, start)) throw FALL_BACK;
  };
};

const readFingerprint = ({ columns }: Target, name: SentNameOf<'fingerprint'>): Read => {
  const column = columns.of(name);
  return (cursor, index) => {
    cursor.text();
    const { bytes, start, end } = cursor;
    const isHex =
      end - start === 2 * FINGERPRINT_BYTES &&
      writeHex(column, FINGERPRINT_BYTES * index, bytes, start, FINGERPRINT_BYTES);
    if (!isHex) throw FALL_BACK;
  };
};

const readFlag = ({ columns }: Target, name: SentNameOf<'flag'>): Read => {
  const column = columns.of(name);
  return (cursor, index) => {
    if (cursor.takesWord(TRUE)) column[index] = 1;
    else if (!cursor.takesWord(FALSE)) throw FALL_BACK;
  };
};

function readInstant(target: Target, name: SentNameOf<'instant'>): Read {
  const { seconds, micros } = target.columns.of(name);
  return (cursor, index) => {
    cursor.text();
    const iso = cursor.bytes.toString('latin1', cursor.start, cursor.end);
    if (!isInstant(iso)) throw FALL_BACK;
    const at = secondsOf(iso);
    if (at < target.bounds.earliest || at > target.bounds.latest) throw FALL_BACK;
    seconds[index] = at;
    micros[index] = microsOf(iso);
  };
}

/** What is no JSON is left to the fallback. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw FALL_BACK;
  }
}

/** Free data are kept as `JSON.stringify` writes them; equal ones are looked into once. */
function readObject(target: Target, name: SentNameOf<'object'>): Read {
  const { columns, texts } = target;
  const column = columns.of(name);
  return (cursor, index) => {
    cursor.object();
    const { bytes, start, end } = cursor;
    const known = texts.size;
    const number = texts.numberOf(start, end);
    column[index] = number;
    if (target.parts.size > 0) target.due = target.parts.get(number);
    if (number < known) return;
    if (target.extent.add(bytes, start, end, LEVEL_OF_FREE_DATA)) throw FALL_BACK;
    const sent = bytes.toString('utf8', start, end);
    const value = parseJson(sent);
    if (!isTame(value)) throw FALL_BACK;
    const parts = partsOf(value as object);
    if (parts === null) throw FALL_BACK;
    if (parts.size > 0) {
      target.parts.set(number, parts);
      target.due = parts;
    }
    const kept = JSON.stringify(value);
    if (kept !== sent) texts.replace(number, Buffer.from(kept));
  };
}

const READERS: { [K in Kind]: (target: Target, name: SentNameOf<K>) => Read } = {
  instant: readInstant,
  count: readCount,
  text: readText,
  object: readObject,
  uuid: readUuid,
  fingerprint: readFingerprint,
  flag: readFlag,
};

const readerOf = (target: Target, name: SentName): Read =>
  (READERS[SENT_FIELDS[name].kind] as (target: Target, name: SentName) => Read)(target, name);

/** All fields of an event by their names. */
export const createFields = (target: Target): Map<string, Field> =>
  new Map(
    (Object.entries(SENT_FIELDS) as [SentName, EventField][]).map(([name, { nullable }]) => [
      name,
      {
        key: wordOf(`"${name}"`),
        bit: BITS[name],
        read: readerOf(target, name),
        nullable: nullable !== false,
      },
    ]),
  );
