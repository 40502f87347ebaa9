/** What is copied of a counted event: the columns of its row, and its id. */
import {
  FINGERPRINT_BYTES,
  GESCHAETZT,
  HAS_FINGERPRINT,
  HAS_PARENT,
  type PackedBatch,
} from '#domains/ereignisse/index.ts';
import { UUID_BYTES } from '#kernel/hex.ts';
import { RATE_SCALE, USD_SCALE } from '#kernel/money.ts';
import { CopyBuffer } from './copy-buffer.ts';
import type { CountedEvent } from './normalise.ts';

export const COPY_EVENTS = `COPY ereignisse (mandant_id, ereignis_id, zeitpunkt, empfangen_am, anbieter, modell, agent,
  projekt, lauf_id, schritt_nr, eltern_span, eingabe_token, ausgabe_token, cache_lese_token, cache_schreib_token,
  denk_token, eingabe_ohne_cache, ausgabe_gesamt, werkzeugaufrufe, latenz_ms, erste_zeichen_ms, status, fehlercode,
  geschaetzt, prompt_fingerabdruck, werkzeug_fingerabdruck, endkunde_ref, funktion_ref, benutzer_ref, quelle, zusatz,
  kosten_usd, kurs_usd_eur, preis_quelle) FROM STDIN (FORMAT binary)`;
const EVENT_COLUMNS = 34;

export const COPY_IDS = 'COPY ereignis_kennungen (mandant_id, ereignis_id) FROM STDIN (FORMAT binary)';
const ID_COLUMNS = 2;
/** Bytes of a row of `COPY_IDS`. */
const ID_ROW = 42;
/** Bytes that a row of `COPY_EVENTS` usually stays below. */
export const USUAL_ROW = 512;

const count = (out: CopyBuffer, value: number | undefined) =>
  value === undefined || Number.isNaN(value) ? out.null() : out.integer(value);

/** A text of the batch, by its number; 0 is null. */
function text(out: CopyBuffer, { ends, textBytes }: PackedBatch, number: number | undefined): void {
  if (!number) out.null();
  else out.bytes(textBytes, ends[number - 1] as number, ends[number] as number);
}

/** An id that is kept as a text of the batch. */
function uuid(out: CopyBuffer, { ends, textBytes }: PackedBatch, number: number | undefined): void {
  if (!number) out.null();
  else out.uuid(textBytes, ends[number - 1] as number);
}

/** Fixed-size bytes of a column, or null. */
function bytes(out: CopyBuffer, column: Buffer, size: number, index: number, there: number): void {
  if (there === 0) out.null();
  else out.bytes(column, size * index, size * (index + 1));
}

/** Adds a row of `COPY_EVENTS`: event number `index` of the batch, counted as `event`. */
export function writeEvent(
  out: CopyBuffer,
  mandant: Uint8Array,
  batch: PackedBatch,
  index: number,
  event: CountedEvent,
): void {
  const { counts, texts, fingerprints, ereignis_id, eltern_span, flags } = batch.columns;
  const { buckets, received } = event;
  const flag = flags[index] as number;
  out.row(EVENT_COLUMNS);
  out.bytes(mandant, 0, UUID_BYTES);
  bytes(out, ereignis_id, UUID_BYTES, index, 1);
  out.instant(event.seconds, event.micros);
  out.instant(received.seconds, received.micros);
  text(out, batch, texts.anbieter[index]);
  text(out, batch, texts.modell[index]);
  out.text(event.agent);
  out.text(event.projekt);
  uuid(out, batch, texts.lauf_id[index]);
  count(out, counts.schritt_nr[index]);
  bytes(out, eltern_span, UUID_BYTES, index, flag & HAS_PARENT);
  count(out, counts.eingabe_token[index]);
  count(out, counts.ausgabe_token[index]);
  count(out, counts.cache_lese_token[index]);
  count(out, counts.cache_schreib_token[index]);
  count(out, counts.denk_token[index]);
  if (buckets === null) out.null();
  else out.integer(buckets.eingabeOhneCache);
  if (buckets === null) out.null();
  else out.integer(buckets.ausgabeGesamt);
  count(out, counts.werkzeugaufrufe[index]);
  count(out, counts.latenz_ms[index]);
  count(out, counts.erste_zeichen_ms[index]);
  out.text(event.status);
  text(out, batch, texts.fehlercode[index]);
  out.boolean((flag & GESCHAETZT) !== 0);
  bytes(out, fingerprints.prompt_fingerabdruck, FINGERPRINT_BYTES, index, flag & HAS_FINGERPRINT);
  bytes(out, fingerprints.werkzeug_fingerabdruck, FINGERPRINT_BYTES, index, flag & (HAS_FINGERPRINT << 1));
  if (event.endkunde === null) out.null();
  else out.text(event.endkunde);
  text(out, batch, texts.funktion_ref[index]);
  text(out, batch, texts.benutzer_ref[index]);
  if (texts.quelle[index]) text(out, batch, texts.quelle[index]);
  else out.text('ingest');
  text(out, batch, texts.zusatz[index]);
  if (event.usd === null) out.null();
  else out.numeric(event.usd, USD_SCALE);
  out.numeric(event.kursScaled, RATE_SCALE);
  if (event.preisQuelle === null) out.null();
  else out.text(event.preisQuelle);
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
      out.row(ID_COLUMNS);
      out.bytes(mandantBytes, 0, UUID_BYTES);
      out.bytes(ids, UUID_BYTES * position, UUID_BYTES * (position + 1));
    }
  return out.finish();
}
