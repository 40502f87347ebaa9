import { DELIBERATE, FAILURE, SUCCESS } from '#domains/ereignisse/index.ts';
import { includesCacheSql } from '#domains/preise/index.ts';

/** A fingerprint as a number whose bits can be compared; for equality they are left as they lie, which is faster. */
export const bits = (column: string) => `('x' || encode(${column}, 'hex'))::bit(64)::bigint`;
/** What a call says that it cost; null where it says nothing, or nothing that is an amount. */
const REPORTED_USD = `CASE WHEN e.zusatz->>'gemeldete_kosten_usd' ~ '^[0-9]{1,15}([.][0-9]{1,40})?(e-[0-9]{1,2})?$'
    THEN (e.zusatz->>'gemeldete_kosten_usd')::numeric END`;
/** Whether its input is read as including the cache: as the call says, else by the rule. */
const INCLUDES_CACHE = `CASE WHEN json_typeof(e.zusatz->'eingabe_umfasst_cache') = 'boolean'
    THEN (e.zusatz->>'eingabe_umfasst_cache')::boolean
    ELSE ${includesCacheSql("coalesce(e.anbieter, '')", "coalesce(e.modell, '')")} END`;
/** What detectors read of a call, as columns of a row `e` of `ereignisse`. */
export const CALL_COLUMNS = `e.ereignis_id, e.zeitpunkt, e.lauf_id, e.schritt_nr, coalesce(e.anbieter, '') AS anbieter,
  coalesce(e.modell, '') AS modell, e.agent, e.projekt, e.endkunde_ref, e.funktion_ref,
  e.status <> '${SUCCESS}' AS failed, ${FAILURE} AS ist_fehler, CASE WHEN NOT ${DELIBERATE} THEN e.prompt_fingerabdruck END AS prompt,
  CASE WHEN NOT ${DELIBERATE} THEN e.werkzeug_fingerabdruck END AS werkzeug, e.zusatz->>'ergebnis_fingerabdruck' AS ergebnis,
  coalesce(e.latenz_ms, 0) AS latenz, e.empfangen_am AS empfangen,
  coalesce(e.eingabe_ohne_cache, 0) AS ohne_cache, coalesce(e.cache_lese_token, 0) AS lese,
  coalesce(e.eingabe_ohne_cache + coalesce(e.cache_lese_token, 0) + coalesce(e.cache_schreib_token, 0), 0) AS eingabe,
  e.ausgabe_gesamt AS ausgabe, coalesce(e.denk_token, 0) AS denk, coalesce(e.werkzeugaufrufe, 0) AS werkzeuge,
  e.kosten_eur, e.kurs_usd_eur AS kurs, ${REPORTED_USD} AS gemeldet_usd,
  e.eingabe_token AS eingabe_genannt, coalesce(e.cache_lese_token, 0) + coalesce(e.cache_schreib_token, 0) AS aus_cache,
  ${INCLUDES_CACHE} AS umfasst_cache`;
