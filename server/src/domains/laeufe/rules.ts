import type { Ereignis as EreignisSchema, Lauf as LaufSchema, Static } from '#contracts';
import { sumOfCounts, toCount } from '#kernel/count.ts';

export type Lauf = Static<typeof LaufSchema>;
export type Ereignis = Static<typeof EreignisSchema>;

/** Counts come as text where they exceed 2^53 - 1. */
export interface LaufRow {
  lauf_id: string;
  agent: string;
  projekt: string;
  endkunde_ref: string | null;
  status: string;
  beginn: string;
  ende: string;
  dauer_ms: string | number;
  aufrufe: string | number;
  fehler: string | number;
  eingabe_token: string | number;
  ausgabe_token: string | number;
  cache_lese_token: string | number;
  cache_schreib_token: string | number | null;
  denk_token: string | number | null;
  eingabe_ohne_cache: string | number;
  ausgabe_gesamt: string | number;
  /** Calls whose tokens are in the two. */
  aufgeteilt: string | number;
  kosten_eur: string | null;
  kosten_usd: string | null;
  ersatz_eur: string;
  unbepreist: string | number;
  teilbepreist: string | number;
  verbranntes_geld_eur: string;
}

/** The tokens alike for every provider; null where some of the calls were counted without, and are gone. */
function dividedOf(row: LaufRow): Pick<Lauf, 'eingabe_ohne_cache' | 'ausgabe_gesamt' | 'token'> {
  const { cache_schreib_token: written } = row;
  if (String(row.aufgeteilt) !== String(row.aufrufe) || written === null)
    return { eingabe_ohne_cache: null, ausgabe_gesamt: null, token: null };
  const parts = [row.eingabe_ohne_cache, row.cache_lese_token, written, row.ausgabe_gesamt];
  return {
    eingabe_ohne_cache: toCount(row.eingabe_ohne_cache),
    ausgabe_gesamt: toCount(row.ausgabe_gesamt),
    token: sumOfCounts(parts),
  };
}

export function toApi(row: LaufRow): Lauf {
  return {
    lauf_id: row.lauf_id,
    agent: row.agent,
    projekt: row.projekt,
    endkunde_ref: row.endkunde_ref,
    status: row.status,
    beginn: row.beginn,
    ende: row.ende,
    dauer_ms: toCount(row.dauer_ms),
    aufrufe: toCount(row.aufrufe),
    fehler: toCount(row.fehler),
    eingabe_token: toCount(row.eingabe_token),
    ausgabe_token: toCount(row.ausgabe_token),
    cache_lese_token: toCount(row.cache_lese_token),
    cache_schreib_token: row.cache_schreib_token === null ? null : toCount(row.cache_schreib_token),
    denk_token: row.denk_token === null ? null : toCount(row.denk_token),
    ...dividedOf(row),
    kosten_eur: row.kosten_eur,
    kosten_usd: row.kosten_usd,
    ersatz_eur: row.ersatz_eur,
    unbepreist: toCount(row.unbepreist),
    teilbepreist: toCount(row.teilbepreist),
    verbranntes_geld_eur: row.verbranntes_geld_eur,
  };
}
