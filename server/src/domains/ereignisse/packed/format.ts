/**
 * The form in which an accepted batch waits in the inbox: its events by column, every text once. Made of what was read and
 * checked at the door, so that counting takes the values from where they stand and parses nothing again. A batch says
 * itself which columns it has, so that one that waits while the service is upgraded is still read.
 *
 * Layout, numbers in the byte order of all machines in use (little-endian): head; the description, filled up to a multiple
 * of 8; the columns (`layoutOf`); where each text ends; the texts in UTF-8.
 */
import { type EventField, type FieldKind, SENT_FIELDS, type SentFields, type SentName } from '#contracts';
import { UUID_BYTES } from '#kernel/hex.ts';
import { BASE_COLUMNS } from './base-columns.ts';

/** First number of the form. */
export const FORMAT = 2;
/** Format, number of events, number of texts, bytes of the description; 4 bytes each. */
export const HEAD = 16;
const FLOAT = Float64Array.BYTES_PER_ELEMENT;
export const INT = Uint32Array.BYTES_PER_ELEMENT;
export const FINGERPRINT_BYTES = 8;

/** What a column of a batch holds, and with it how its values stand there. */
export type Kind = Exclude<FieldKind, 'decimal' | 'sum'>;

export interface Instants {
  /** Whole seconds since 1970. */
  seconds: Float64Array;
  /** The microseconds behind them. */
  micros: Uint32Array;
}

/** The values of a column, event after event. Where an event has none, it has zeros. */
export interface Values {
  instant: Instants;
  /** Exact to 2^53. */
  count: Float64Array;
  /** Numbers of texts, from 0. */
  text: Uint32Array;
  /** Numbers of texts that are JSON. */
  object: Uint32Array;
  uuid: Buffer;
  fingerprint: Buffer;
  /** 1 is true. */
  flag: Buffer;
}
export type AnyValues = Values[Kind];

/** Bytes of a value of those kinds that are nothing but bytes. */
const SIZES = { uuid: UUID_BYTES, fingerprint: FINGERPRINT_BYTES, flag: 1 } as const;
/** Bytes of a value of each kind; an instant's are those of its seconds, its microseconds stand apart. */
const BYTES: Record<Kind, number> = { instant: FLOAT, count: FLOAT, text: INT, object: INT, ...SIZES };
const KINDS: ReadonlySet<string> = new Set<Kind>([
  'instant',
  'count',
  'text',
  'object',
  'uuid',
  'fingerprint',
  'flag',
]);

export interface Column {
  name: string;
  kind: Kind;
}

// ── which columns a batch has ───────────────────────────────────────────────────────────────────────────────

const isKind = (kind: string | undefined): kind is Kind => kind !== undefined && KINDS.has(kind);

/** Throws RangeError at a kind this version does not know: nobody can tell how long its values are. */
function parseColumn(line: string): Column {
  const [name = '', kind] = line.split(' ');
  if (!isKind(kind)) throw new RangeError(`a column of an unknown kind: ${line}`);
  return { name, kind };
}
const BASE: readonly Column[] = BASE_COLUMNS.split('\n').map(parseColumn);
const isSame = (a: Column, b: Column) => a.name === b.name && a.kind === b.kind;
const isAmong = (columns: readonly Column[]) => (column: Column) =>
  columns.some((each) => isSame(each, column));

/** Columns in the order in which a batch has them: those of the base first, in theirs. */
export const inOrder = <C extends Column>(columns: readonly C[]): C[] => {
  const place = (column: C) => BASE.findIndex((each) => isSame(each, column)) + 1 || BASE.length + 1;
  return columns.toSorted((a, b) => place(a) - place(b));
};

/** How columns in this order differ from the base: a line for each that is missing, after a `-`, and for each that is new. */
export const describe = (columns: readonly Column[]): string =>
  [
    ...BASE.filter((column) => !isAmong(columns)(column)).map(({ name }) => `-${name}\n`),
    ...columns.filter((column) => !isAmong(BASE)(column)).map(({ name, kind }) => `${name} ${kind}\n`),
  ].join('');

/** The bits of a number that stays a small integer whichever of them are set. */
const MAX_COLUMNS = 31;

/** The columns of a batch with this description. Throws RangeError at what is none, and at kinds this version does not know. */
export function columnsOf(description: string): Column[] {
  const lines = description.split('\n').slice(0, -1);
  const gone = new Set(lines.filter((line) => line.startsWith('-')).map((line) => line.slice(1)));
  const added = lines.filter((line) => !line.startsWith('-')).map(parseColumn);
  const columns = [...BASE.filter(({ name }) => !gone.has(name)), ...added];
  if (columns.length > MAX_COLUMNS) throw new RangeError(`a batch of ${columns.length} columns`);
  return columns;
}

interface OwnColumn extends Column {
  name: SentName;
  field: EventField;
}

const FIELDS = Object.entries(SENT_FIELDS) as [SentName, SentFields[SentName]][];
/** The columns this version writes, in the order of their bits. */
export const COLUMNS: readonly OwnColumn[] = inOrder(
  FIELDS.map(([name, field]) => ({ name, kind: field.kind, field })),
);
/** Their description. */
export const DESCRIPTION = Buffer.from(describe(COLUMNS));

if (COLUMNS.length > MAX_COLUMNS)
  throw new Error(`an event has ${COLUMNS.length} fields, a batch has bits for ${MAX_COLUMNS}`);

const named = <Of>(of: (position: number) => Of) =>
  Object.fromEntries(COLUMNS.map(({ name }, position) => [name, of(position)])) as Record<SentName, Of>;
/** Tells in `present` whether an event has something in a column: the one way to say "nothing". */
export const BITS = named((position) => 1 << position);
/** Where the values of a column stand in `BatchColumns.values`. */
export const POSITIONS = named((position) => position);

/** Of fields that are 0 or false when left out: null means something else, so they are there then, with their zeros. */
export const ZERO_WHEN_LEFT_OUT = COLUMNS.filter(
  ({ field }) => field.default === 0 || field.default === false,
)
  .map(({ name }) => BITS[name])
  .reduce((bits, bit) => bits | bit, 0);

// ── where the values stand ──────────────────────────────────────────────────────────────────────────────────

/** For each column, how many bytes of every event stand before its values. */
export interface Layout {
  columns: readonly Column[];
  starts: readonly number[];
  /** Likewise of the microseconds behind instants. */
  micros: readonly number[];
  /** Likewise of the bits that say which columns an event has. */
  present: number;
  /** Bytes of an event. */
  row: number;
}

/** The widest first, so that all begin at a multiple of their size: 8-byte floats, 4-byte integers, bytes. */
export function layoutOf(columns: readonly Column[]): Layout {
  let row = 0;
  const take = (size: number) => {
    row += size;
    return row - size;
  };
  const starts = columns.map(({ kind }) => (kind === 'instant' || kind === 'count' ? take(FLOAT) : 0));
  const present = take(INT);
  const micros = columns.map(({ kind }) => (kind === 'instant' ? take(INT) : 0));
  for (const [position, { kind }] of columns.entries())
    if (kind === 'text' || kind === 'object') starts[position] = take(INT);
  for (const [position, { kind }] of columns.entries())
    if (kind === 'uuid' || kind === 'fingerprint' || kind === 'flag') starts[position] = take(SIZES[kind]);
  return { columns, starts, micros, present, row };
}

const roundUp = (bytes: number, size: number) => Math.ceil(bytes / size) * size;

/** Where the columns begin behind a description of this many bytes. */
export const startOf = (description: number): number => roundUp(HEAD + description, FLOAT);
/** Bytes of the columns of this many events; what follows are integers. */
export const sizeOf = ({ row }: Layout, events: number): number => roundUp(row * events, INT);

/** The columns of this many events in memory that begins at a multiple of 8. */
export function carve(layout: Layout, bytes: Uint8Array, start: number, events: number) {
  const at = (before = 0) => bytes.byteOffset + start + before * events;
  const values = layout.columns.map(({ kind }, position): AnyValues => {
    const from = at(layout.starts[position]);
    if (kind === 'count') return new Float64Array(bytes.buffer, from, events);
    if (kind === 'text' || kind === 'object') return new Uint32Array(bytes.buffer, from, events);
    if (kind !== 'instant') return Buffer.from(bytes.buffer, from, SIZES[kind] * events);
    return {
      seconds: new Float64Array(bytes.buffer, from, events),
      micros: new Uint32Array(bytes.buffer, at(layout.micros[position]), events),
    };
  });
  return { values, present: new Uint32Array(bytes.buffer, at(layout.present), events) };
}

export const OWN_LAYOUT: Layout = layoutOf(COLUMNS);
export const OWN_START: number = startOf(DESCRIPTION.length);

/** The columns this version writes, by name. */
export type Columns = { readonly [Name in SentName]: Values[SentFields[Name]['kind']] };

/** The columns of this many events in a memory: filled in by who writes, read by who counts. */
export class BatchColumns {
  readonly bytes: Uint8Array;
  /** Which columns each event has: `BITS`. */
  readonly present: Uint32Array;
  /** By position: `POSITIONS`. */
  readonly values: readonly AnyValues[];

  /** `bytes` begins at a multiple of 8. */
  constructor(bytes: Uint8Array, start: number, events: number) {
    const { values, present } = carve(OWN_LAYOUT, bytes, start, events);
    this.bytes = bytes;
    this.present = present;
    this.values = values;
  }

  of<Name extends SentName>(name: Name): Columns[Name] {
    return this.values[POSITIONS[name]] as Columns[Name];
  }
}

/** Where the parts of this version's columns begin, and what each takes for an event. */
const PARTS: readonly { start: number; bytes: number }[] = [
  { start: OWN_LAYOUT.present, bytes: INT },
  ...COLUMNS.flatMap(({ kind }, position) => {
    const part = { start: OWN_LAYOUT.starts[position] as number, bytes: BYTES[kind] };
    return kind === 'instant' ? [part, { start: OWN_LAYOUT.micros[position] as number, bytes: INT }] : [part];
  }),
];

/** Columns with room for this many events; these begin the memory. */
export interface Room {
  bytes: Uint8Array;
  events: number;
}

/** Copies the first `count` events to columns with another room, which begin at `start`. */
export function copyColumns(from: Room, to: Room, count: number, start = 0): void {
  const source = Buffer.from(from.bytes.buffer, from.bytes.byteOffset, from.bytes.length);
  for (const part of PARTS) {
    const begin = part.start * from.events;
    source.copy(to.bytes, start + part.start * to.events, begin, begin + part.bytes * count);
  }
}

/** Takes everything from the event at this place. */
export function clearRow({ bytes, events }: Room, index: number): void {
  for (const part of PARTS) {
    const at = part.start * events + part.bytes * index;
    bytes.fill(0, at, at + part.bytes);
  }
}

export const createColumns = (events: number): BatchColumns =>
  new BatchColumns(new Uint8Array(sizeOf(OWN_LAYOUT, events)), 0, events);
