/** Counted events as lines of PostgreSQL's COPY text format: one string per event, no intermediate objects. */
import { RATE_SCALE, USD_SCALE } from '#domains/preise/index.ts';
import { textOf } from '#kernel/decimal-text.ts';
import type { CountedEvent } from './normalise.ts';

export const EUR_SCALE = USD_SCALE + RATE_SCALE;

export const COPY_EVENTS = `COPY ereignisse (mandant_id, ereignis_id, zeitpunkt, empfangen_am, anbieter, modell, agent,
  projekt, lauf_id, schritt_nr, eltern_span, eingabe_token, ausgabe_token, cache_lese_token, cache_schreib_token,
  denk_token, eingabe_ohne_cache, ausgabe_gesamt, werkzeugaufrufe, latenz_ms, erste_zeichen_ms, status, fehlercode,
  geschaetzt, prompt_fingerabdruck, werkzeug_fingerabdruck, endkunde_ref, funktion_ref, benutzer_ref, quelle, zusatz,
  kosten_usd, kurs_usd_eur, preis_quelle) FROM STDIN`;

export const COPY_IDS = 'COPY ereignis_kennungen (mandant_id, ereignis_id) FROM STDIN';

const NULL = '\\N';
const SPECIAL = /[\\\t\n\r]/g;
const ESCAPES: Record<string, string> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' };

function text(value: string | null | undefined): string {
  if (value === null || value === undefined) return NULL;
  SPECIAL.lastIndex = 0;
  return SPECIAL.test(value) ? value.replace(SPECIAL, (character) => ESCAPES[character] as string) : value;
}

const number = (value: number | bigint | null | undefined): string | number | bigint => value ?? NULL;
/** Left out means 0 for these counts, an explicit null stays null. */
const countOrZero = (value: number | null | undefined): string | number =>
  value === undefined ? 0 : (value ?? NULL);
const id = (value: string | null | undefined): string => value ?? NULL;
const fingerprint = (hex: string | null | undefined): string => (hex ? `\\\\x${hex}` : NULL);

/** One line of `COPY_EVENTS`, with its line end. */
export function eventLine(mandant: string, event: CountedEvent): string {
  const { sent, buckets } = event;
  return `${mandant}\t${event.id}\t${event.zeitpunkt}\t${event.empfangenAm}\t${text(sent.anbieter)}\t${text(sent.modell)}\t${text(event.agent)}\t${text(event.projekt)}\t${id(sent.lauf_id)}\t${number(sent.schritt_nr)}\t${id(sent.eltern_span)}\t${number(sent.eingabe_token)}\t${number(sent.ausgabe_token)}\t${countOrZero(sent.cache_lese_token)}\t${countOrZero(sent.cache_schreib_token)}\t${countOrZero(sent.denk_token)}\t${number(buckets?.eingabeOhneCache)}\t${number(buckets?.ausgabeGesamt)}\t${countOrZero(sent.werkzeugaufrufe)}\t${number(sent.latenz_ms)}\t${number(sent.erste_zeichen_ms)}\t${text(event.status)}\t${text(sent.fehlercode)}\t${sent.geschaetzt ? 't' : 'f'}\t${fingerprint(sent.prompt_fingerabdruck)}\t${fingerprint(sent.werkzeug_fingerabdruck)}\t${text(event.endkunde)}\t${text(sent.funktion_ref)}\t${text(sent.benutzer_ref)}\t${text(sent.quelle ?? 'ingest')}\t${sent.zusatz ? text(JSON.stringify(sent.zusatz)) : NULL}\t${event.usd === null ? NULL : textOf(event.usd, USD_SCALE)}\t${event.kurs}\t${text(event.preisQuelle)}\n`;
}

/** One line of `COPY_IDS`. */
export const idLine = (mandant: string, eventId: string): string => `${mandant}\t${eventId}\n`;
