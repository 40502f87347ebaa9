/** The fields of an event, read from where they stand in the bytes of a batch into the columns of the packed form. */
import { EreignisEingang } from '#contracts';
import { isInstant, isTame } from '#http/check/index.ts';
import { UUID_BYTES, UUID_LENGTH, writeHex, writeUuid } from '#kernel/hex.ts';
import { microsOf, secondsOf } from '#kernel/microseconds.ts';
import type { ByteTexts } from './byte-texts.ts';
import {
  type BatchColumns,
  COUNTS,
  FINGERPRINT_BYTES,
  FINGERPRINTS,
  GESCHAETZT,
  HAS_FINGERPRINT,
  HAS_PARENT,
  TEXTS,
  type TextColumn,
} from './packed-batch.ts';
import { type JsonCursor, UNUSUAL, type Word, wordOf } from './scan-json.ts';

/** What the fields are read into. */
export interface Target {
  columns: BatchColumns;
  texts: ByteTexts;
  /** Seconds since 1970 beyond which an event lies too far ahead. */
  latest: number;
}

/** Reads the value at the cursor into the columns, as that of event number `index`. Throws `UNUSUAL`. */
type Read = (cursor: JsonCursor, index: number) => void;

export interface Field {
  /** The name as it stands in JSON. */
  key: Word;
  /** Tells the fields of an event apart; at most 31 of them. */
  bit: number;
  read: Read;
  /** What null does; without it there must be none. */
  readNull: ((index: number) => void) | undefined;
}

/** Set in small letters, digits and the hyphen, not in capital letters. */
const SMALL = 0x20;
const TRUE = wordOf('true');
const FALSE = wordOf('false');
const SCRATCH = Buffer.alloc(UUID_BYTES);

const readCount =
  (column: Float64Array): Read =>
  (cursor, index) => {
    column[index] = cursor.count();
  };

/** Texts count in code points; not more bytes are not more code points. */
const readText = ({ columns, texts }: Target, name: TextColumn, maxLength: number): Read => {
  const column = columns.texts[name];
  return (cursor, index) => {
    cursor.text();
    const { start, end, hash } = cursor;
    if (end - start > maxLength) throw UNUSUAL;
    column[index] = texts.numberOf(start, end, hash);
  };
};

/** A UUID that is kept as a text: then capital letters would make another one of it. */
const readUuidText = ({ columns, texts }: Target, name: TextColumn): Read => {
  const column = columns.texts[name];
  return (cursor, index) => {
    cursor.text();
    const { bytes, start, end, hash } = cursor;
    let small = SMALL;
    for (let at = start; at < end; at += 1) small &= bytes[at] as number;
    if (small === 0 || end - start !== UUID_LENGTH || !writeUuid(SCRATCH, 0, bytes, start)) throw UNUSUAL;
    column[index] = texts.numberOf(start, end, hash);
  };
};

const readUuid =
  (column: Buffer, flags: Buffer, flag: number): Read =>
  (cursor, index) => {
    cursor.text();
    const { bytes, start, end } = cursor;
    if (end - start !== UUID_LENGTH || !writeUuid(column, UUID_BYTES * index, bytes, start)) throw UNUSUAL;
    flags[index] = (flags[index] as number) | flag;
  };

const readFingerprint =
  (column: Buffer, flags: Buffer, flag: number): Read =>
  (cursor, index) => {
    cursor.text();
    const { bytes, start, end } = cursor;
    const isHex =
      end - start === 2 * FINGERPRINT_BYTES &&
      writeHex(column, FINGERPRINT_BYTES * index, bytes, start, FINGERPRINT_BYTES);
    if (!isHex) throw UNUSUAL;
    flags[index] = (flags[index] as number) | flag;
  };

const readGeschaetzt =
  (flags: Buffer): Read =>
  (cursor, index) => {
    if (cursor.takesWord(TRUE)) flags[index] = (flags[index] as number) | GESCHAETZT;
    else if (!cursor.takesWord(FALSE)) throw UNUSUAL;
  };

function readZeitpunkt(target: Target): Read {
  const { seconds, micros } = target.columns;
  return (cursor, index) => {
    cursor.text();
    const iso = cursor.bytes.toString('latin1', cursor.start, cursor.end);
    if (!isInstant(iso)) throw UNUSUAL;
    const at = secondsOf(iso);
    if (at > target.latest) throw UNUSUAL;
    seconds[index] = at;
    micros[index] = microsOf(iso);
  };
}

function parseFree(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw UNUSUAL;
  }
}

/** Free data are kept as `JSON.stringify` writes them; equal ones are looked into once. */
function readZusatz({ columns, texts }: Target): Read {
  const column = columns.texts.zusatz;
  return (cursor, index) => {
    cursor.object();
    const { bytes, start, end, hash } = cursor;
    const known = texts.size;
    const number = texts.numberOf(start, end, hash);
    column[index] = number;
    if (number <= known) return;
    const sent = bytes.toString('utf8', start, end);
    const value = parseFree(sent);
    if (!isTame(value)) throw UNUSUAL;
    const kept = JSON.stringify(value);
    if (kept !== sent) texts.replace(number, Buffer.from(kept));
  };
}

/** What is looked at of a field's schema. */
interface FieldSchema {
  anyOf?: FieldSchema[];
  type?: string;
  maxLength?: number;
}

const schemas = EreignisEingang.properties as Record<string, FieldSchema>;
const shapes = (name: string) => [schemas[name] ?? {}, ...(schemas[name]?.anyOf ?? [])];
const isNullable = (name: string) => shapes(name).some(({ type }) => type === 'null');
const maxLength = (name: string) => Math.max(...shapes(name).map((shape) => shape.maxLength ?? 0));

function readersOf(target: Target): [name: string, read: Read][] {
  const { counts, fingerprints, ereignis_id, eltern_span, flags } = target.columns;
  const texts = TEXTS.filter((name) => name !== 'lauf_id');
  return [
    ...COUNTS.map((name): [string, Read] => [name, readCount(counts[name])]),
    ...texts.map((name): [string, Read] => [name, readText(target, name, maxLength(name))]),
    ...FINGERPRINTS.map((name, bit): [string, Read] => [
      name,
      readFingerprint(fingerprints[name], flags, HAS_FINGERPRINT << bit),
    ]),
    ['lauf_id', readUuidText(target, 'lauf_id')],
    ['ereignis_id', readUuid(ereignis_id, flags, 0)],
    ['eltern_span', readUuid(eltern_span, flags, HAS_PARENT)],
    ['zeitpunkt', readZeitpunkt(target)],
    ['geschaetzt', readGeschaetzt(flags)],
    ['zusatz', readZusatz(target)],
  ];
}

/** Of the counts some are 0 when left out, none when they are null. */
function nullReader({ columns }: Target, name: string): ((index: number) => void) | undefined {
  if (!isNullable(name)) return undefined;
  const count = COUNTS.find((each) => each === name);
  const column = count && columns.counts[count];
  return (index) => {
    if (column) column[index] = Number.NaN;
  };
}

/** All fields of an event by their names. */
export const createFields = (target: Target): Map<string, Field> =>
  new Map(
    readersOf(target).map(([name, read], number) => [
      name,
      { key: wordOf(`"${name}"`), bit: 1 << number, read, readNull: nullReader(target, name) },
    ]),
  );
