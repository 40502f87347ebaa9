/** What is copied of a counted event: the columns of its row, and its id. */
import { type EventField, SENT_FIELDS, type SentName, standsForNothing } from '#contracts';
import {
  BITS,
  type CountingColumn,
  FINGERPRINT_BYTES,
  PACKED_COLUMNS,
  type PackedBatch,
  POSITIONS,
  type Values,
} from '#domains/ereignisse/index.ts';
import { UUID_BYTES } from '#kernel/hex.ts';
import { RATE_SCALE, USD_SCALE } from '#kernel/money.ts';
import { CopyBuffer } from '#platform/database/copy/copy-buffer.ts';
import type { CountedEvent } from './normalise.ts';

// ── what was sent: copied from where it stands in the batch ─────────────────────────────────────────────────

interface SentColumn {
  name: SentName;
  position: number;
  bit: number;
}

const columnsOf = (...kinds: EventField['kind'][]): SentColumn[] =>
  PACKED_COLUMNS.filter(({ kind }) => kinds.includes(kind)).map(({ name }) => ({
    name,
    position: POSITIONS[name],
    bit: BITS[name],
  }));

const INSTANTS = columnsOf('instant');
const COUNTS = columnsOf('count');
const FLAGS = columnsOf('flag');
/** Columns of bytes, all of one length. */
const BYTES = [
  ...columnsOf('uuid').map((column) => ({ ...column, size: UUID_BYTES })),
  ...columnsOf('fingerprint').map((column) => ({ ...column, size: FINGERPRINT_BYTES })),
];
const TEXTS = columnsOf('text', 'object').map((column) => {
  const field: EventField = SENT_FIELDS[column.name];
  const nothing = standsForNothing(field);
  return {
    ...column,
    emptyIsNothing: field.emptyIsNothing ?? false,
    nothing: nothing === null ? null : Buffer.from(String(nothing)),
  };
});
const SENT_COLUMNS = [...INSTANTS, ...COUNTS, ...FLAGS, ...BYTES, ...TEXTS];

function writeInstants(out: CopyBuffer, { columns }: PackedBatch, index: number): void {
  for (const { position } of INSTANTS) {
    const { seconds, micros } = columns.values[position] as Values['instant'];
    out.instant(seconds[index] as number, micros[index] as number);
  }
}

function writeCounts(out: CopyBuffer, { columns }: PackedBatch, index: number, present: number): void {
  for (const { position, bit } of COUNTS) {
    if ((present & bit) === 0) out.null();
    else out.integer((columns.values[position] as Values['count'])[index] as number);
  }
}

function writeFlags(out: CopyBuffer, { columns }: PackedBatch, index: number): void {
  for (const { position } of FLAGS) out.boolean((columns.values[position] as Values['flag'])[index] !== 0);
}

function writeBytes(out: CopyBuffer, { columns }: PackedBatch, index: number, present: number): void {
  for (const { position, bit, size } of BYTES) {
    if ((present & bit) === 0) out.null();
    else out.bytes(columns.values[position] as Buffer, size * index, size * (index + 1));
  }
}

function writeTexts(out: CopyBuffer, batch: PackedBatch, index: number, present: number): void {
  const { columns, ends, textBytes } = batch;
  for (const { position, bit, emptyIsNothing, nothing } of TEXTS) {
    const number = (columns.values[position] as Values['text'])[index] as number;
    const start = ends[number] as number;
    const end = ends[number + 1] as number;
    if ((present & bit) !== 0 && !(emptyIsNothing && start === end)) out.bytes(textBytes, start, end);
    else if (nothing === null) out.null();
    else out.bytes(nothing, 0, nothing.length);
  }
}

// ── what counting adds ──────────────────────────────────────────────────────────────────────────────────────

type Write = (out: CopyBuffer, event: CountedEvent) => void;

const textOrNull = (out: CopyBuffer, text: string | null) => (text === null ? out.null() : out.text(text));
const countOrNull = (out: CopyBuffer, count: number | bigint | undefined) =>
  count === undefined ? out.null() : out.integer(count);

/** `kosten_eur` is made by the database, of its two factors; no call is a repeat until a detector has proven it. */
const ADDED: Record<Exclude<CountingColumn, 'kosten_eur' | 'wiederholung'>, Write> = {
  empfangen_am: (out, { received }) => out.instant(received.seconds, received.micros),
  schluessel_id: (out, { schluessel }) =>
    schluessel === null ? out.null() : out.bytes(schluessel.bytes, 0, UUID_BYTES),
  projekt: (out, { projekt }) => out.text(projekt),
  eingabe_ohne_cache: (out, { buckets }) => countOrNull(out, buckets?.eingabeOhneCache),
  ausgabe_gesamt: (out, { buckets }) => countOrNull(out, buckets?.ausgabeGesamt),
  kosten_usd: (out, { usd }) => (usd === null ? out.null() : out.numeric(usd, USD_SCALE)),
  kurs_usd_eur: (out, { kurs }) => out.numeric(kurs.scaled, RATE_SCALE),
  ersatzkurs: (out, { kurs }) => out.boolean(kurs.ersatz),
  teilbepreist: (out, { teilbepreist }) => out.boolean(teilbepreist),
  preis_quelle: (out, { preisQuelle }) => textOrNull(out, preisQuelle),
};
const ADDED_WRITERS = Object.values(ADDED);

// ── the rows ────────────────────────────────────────────────────────────────────────────────────────────────

export const EVENT_COLUMNS: readonly string[] = [
  'mandant_id',
  ...SENT_COLUMNS.map(({ name }) => name),
  ...Object.keys(ADDED),
];
export const COPY_EVENTS = `COPY ereignisse (${EVENT_COLUMNS.join(', ')}) FROM STDIN (FORMAT binary)`;

export const ID_COLUMNS = ['mandant_id', 'ereignis_id'] as const;
export const COPY_IDS = `COPY ereignis_kennungen (${ID_COLUMNS.join(', ')}) FROM STDIN (FORMAT binary)`;
/** Bytes of a row of `COPY_IDS`. */
const ID_ROW = 42;
/** Bytes that a row of `COPY_EVENTS` usually stays below. */
export const USUAL_ROW = 512;

/** Adds a row of `COPY_EVENTS`: event number `index` of the batch, counted as `event`. */
export function writeEvent(
  out: CopyBuffer,
  mandant: Uint8Array,
  batch: PackedBatch,
  index: number,
  event: CountedEvent,
): void {
  // Nobody is charged for what a subscription pays for: such a call is of no end customer.
  const left = event.endkunde === null ? BITS.endkunde_ref : 0;
  const present = (batch.columns.present[index] as number) & ~left;
  out.row(EVENT_COLUMNS.length);
  out.bytes(mandant, 0, UUID_BYTES);
  writeInstants(out, batch, index);
  writeCounts(out, batch, index, present);
  writeFlags(out, batch, index);
  writeBytes(out, batch, index, present);
  writeTexts(out, batch, index, present);
  for (const write of ADDED_WRITERS) write(out, event);
}

/** Positions in the order in which the ids sort by their leading bits: neighbours land on the same pages of the index. */
function inOrder(ids: Buffer): Float64Array {
  const LEADING = 2 ** 48;
  const count = ids.length / UUID_BYTES;
  // Leading bits and position share the 53 bits that a number holds exactly; numbers sort without a comparing function.
  const step = Math.ceil((LEADING * count) / Number.MAX_SAFE_INTEGER);
  const keys = new Float64Array(count);
  for (let index = 0; index < count; index += 1)
    keys[index] = Math.floor(ids.readUIntBE(UUID_BYTES * index, 6) / step) * count + index;
  return keys.sort().map((key) => key % count);
}

/** Ids of one Mandant, one behind the other. */
export interface IdsOf {
  mandantBytes: Uint8Array;
  ids: Buffer;
}

/** The data of `COPY_IDS`, in the order of the index as far as that matters. */
export function idRows(parts: readonly IdsOf[]): Buffer {
  const events = parts.reduce((sum, { ids }) => sum + ids.length / UUID_BYTES, 0);
  const out = new CopyBuffer(ID_ROW * events);
  for (const { mandantBytes, ids } of parts)
    for (const position of inOrder(ids)) {
      out.row(ID_COLUMNS.length);
      out.bytes(mandantBytes, 0, UUID_BYTES);
      out.bytes(ids, UUID_BYTES * position, UUID_BYTES * (position + 1));
    }
  return out.finish();
}
