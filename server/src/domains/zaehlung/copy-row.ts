/** What is copied of a counted event: the columns of its row, and its id. */
import { RATE_SCALE, USD_SCALE } from '#domains/preise/index.ts';
import { CopyBuffer } from './copy-buffer.ts';
import type { CountedEvent } from './normalise.ts';

export const EUR_SCALE = USD_SCALE + RATE_SCALE;

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

type Maybe<T> = T | null | undefined;

const isNone = (value: unknown): value is null | undefined => value === null || value === undefined;
const text = (out: CopyBuffer, value: Maybe<string>) => (isNone(value) ? out.null() : out.text(value));
const uuid = (out: CopyBuffer, value: Maybe<string>) => (isNone(value) ? out.null() : out.uuid(value));
const hex = (out: CopyBuffer, value: Maybe<string>) => (value ? out.hex(value) : out.null());
const integer = (out: CopyBuffer, value: Maybe<number | bigint>) =>
  isNone(value) ? out.null() : out.integer(value);
/** Left out means 0 for these counts, an explicit null stays null. */
const countOrZero = (out: CopyBuffer, value: Maybe<number>) =>
  value === null ? out.null() : out.integer(value ?? 0);

/** Adds a row of `COPY_EVENTS`. Throws RangeError on a value that PostgreSQL would not take; part of the row is written then. */
export function writeEvent(out: CopyBuffer, mandant: string, event: CountedEvent): void {
  const { sent, buckets } = event;
  out.row(EVENT_COLUMNS);
  out.uuid(mandant);
  out.uuid(event.id);
  out.instant(event.zeitpunkt);
  out.instant(event.empfangenAm);
  text(out, sent.anbieter);
  text(out, sent.modell);
  out.text(event.agent);
  out.text(event.projekt);
  uuid(out, sent.lauf_id);
  integer(out, sent.schritt_nr);
  uuid(out, sent.eltern_span);
  integer(out, sent.eingabe_token);
  integer(out, sent.ausgabe_token);
  countOrZero(out, sent.cache_lese_token);
  countOrZero(out, sent.cache_schreib_token);
  countOrZero(out, sent.denk_token);
  integer(out, buckets?.eingabeOhneCache);
  integer(out, buckets?.ausgabeGesamt);
  countOrZero(out, sent.werkzeugaufrufe);
  integer(out, sent.latenz_ms);
  integer(out, sent.erste_zeichen_ms);
  out.text(event.status);
  text(out, sent.fehlercode);
  out.boolean(sent.geschaetzt ?? false);
  hex(out, sent.prompt_fingerabdruck);
  hex(out, sent.werkzeug_fingerabdruck);
  text(out, event.endkunde);
  text(out, sent.funktion_ref);
  text(out, sent.benutzer_ref);
  out.text(sent.quelle ?? 'ingest');
  text(out, sent.zusatz ? JSON.stringify(sent.zusatz) : null);
  if (event.usd === null) out.null();
  else out.numeric(event.usd, USD_SCALE);
  out.numeric(event.kursScaled, RATE_SCALE);
  text(out, event.preisQuelle);
}

/** Positions in the order in which the ids sort by their leading bits: neighbours land on the same pages of the index. */
function inOrder(ids: string[]): Float64Array {
  const LEADING = 2 ** 48;
  const count = ids.length;
  // Leading bits and position share the 53 bits that a number holds exactly; numbers sort without a comparing function.
  const step = Math.ceil((LEADING * count) / Number.MAX_SAFE_INTEGER);
  const keys = new Float64Array(count);
  for (let index = 0; index < count; index += 1) {
    const id = ids[index] as string;
    const leading = Number.parseInt(id.slice(0, 8), 16) * 65_536 + Number.parseInt(id.slice(9, 13), 16);
    keys[index] = Math.floor(leading / step) * count + index;
  }
  return keys.sort().map((key) => key % count);
}

/** The data of `COPY_IDS`, in the order of the index as far as that matters. */
export function idRows(mandant: string, ids: string[]): Buffer {
  const out = new CopyBuffer(ID_ROW * ids.length);
  for (const position of inOrder(ids)) {
    out.row(ID_COLUMNS);
    out.uuid(mandant);
    out.uuid(ids[position] as string);
  }
  return out.finish();
}
