/** A call as the event that counting knows. */
import { idOfAnswer } from '#client/answer-id.ts';
import { runIdOf } from '#client/run-id.ts';
import { stableId } from '#client/stable-id.ts';
import type { EreignisEingang, Static } from '#contracts';
import { isoOf } from '#kernel/microseconds.ts';
import type { Call } from './calls.ts';

export type CallEvent = Static<typeof EreignisEingang> & { ereignis_id: string; zeitpunkt: string };

const MICROS = 1_000_000;

/**
 * The same for one call, from each source: by the id of its answer as the packages derive it, else by the span or log record
 * that it was first seen in.
 */
const idOfCall = ({ antwort, signal, spur, id }: Pick<Call, 'antwort' | 'signal' | 'spur' | 'id'>): string =>
  antwort === null ? stableId(signal, spur, id) : idOfAnswer(antwort, 0);

const isoAt = (microseconds: number): string =>
  isoOf({ seconds: Math.floor(microseconds / MICROS), micros: microseconds % MICROS });

/** An exact decimal, as far as a double has one. */
const decimalOf = (amount: number): string => amount.toFixed(12).replace(/\.?0+$/, '');

/** What has no field of its own. */
function extraOf(call: Call): Record<string, unknown> {
  const { counts, who } = call;
  const oneHour = counts.cacheSchreib1h !== null && counts.cacheSchreib1h <= (counts.cacheSchreib ?? 0);
  const known: [string, unknown][] = [
    ['eingabe_umfasst_cache', true],
    ['ausgabe_umfasst_denken', true],
    ['cache_schreib_1h_token', oneHour ? counts.cacheSchreib1h : null],
    ['preisstufe', call.stufe],
    ['gemeldete_kosten_usd', call.kosten === null ? null : decimalOf(call.kosten)],
    ['projekt', who.projekt],
    ['sitzung', who.sitzung],
    // Of Claude Code the answer's name is that of the request, which its transcripts have, too.
    ['anfrage_id', call.antwort?.startsWith('req_') ? call.antwort : null],
    ['abonnement', call.abo ? true : null],
    // Counting may leave it out of the event.
    ['endkunde', call.abo ? who.endkunde : null],
    ['bibliothek', call.quelle],
    ['bibliothek_version', call.version],
  ];
  return Object.fromEntries(known.filter(([, value]) => value !== null));
}

/** The event of a call. Counts that its sources do not say are null. */
export function eventOf(call: Call): CallEvent {
  const { counts, who, eltern } = call;
  return {
    ereignis_id: idOfCall(call),
    zeitpunkt: isoAt(Math.max(0, Math.round(call.begin))),
    anbieter: call.anbieter,
    modell: call.modell,
    agent: who.agent,
    lauf_id: call.lauf === null ? null : runIdOf(call.lauf),
    schritt_nr: call.schritt,
    eltern_span: eltern === null ? null : stableId('span', eltern.spur, eltern.id),
    eingabe_token: counts.eingabe,
    ausgabe_token: counts.ausgabe,
    cache_lese_token: counts.cacheLese,
    cache_schreib_token: counts.cacheSchreib,
    denk_token: counts.denk,
    werkzeugaufrufe: call.werkzeuge ?? 0,
    latenz_ms: Math.max(0, Math.round((call.end - call.begin) / 1_000)),
    erste_zeichen_ms: call.ersteZeichenMs,
    status: call.failed ? 'fehlgeschlagen' : 'erfolgreich',
    fehlercode: call.fehlercode,
    geschaetzt: false,
    prompt_fingerabdruck: call.prompt,
    werkzeug_fingerabdruck: call.werkzeug,
    endkunde_ref: who.endkunde,
    funktion_ref: who.funktion,
    benutzer_ref: who.benutzer,
    quelle: 'otlp',
    zusatz: extraOf(call),
  };
}
