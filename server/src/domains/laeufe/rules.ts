import type { Ereignis as EreignisSchema, Lauf as LaufSchema, Static } from '#contracts';
import { toCount } from '#kernel/count.ts';

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
  kosten_eur: string | null;
  kosten_usd: string | null;
  ersatz_eur: string;
  unbepreist: string | number;
  teilbepreist: string | number;
  verbranntes_geld_eur: string;
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
    kosten_eur: row.kosten_eur,
    kosten_usd: row.kosten_usd,
    ersatz_eur: row.ersatz_eur,
    unbepreist: toCount(row.unbepreist),
    teilbepreist: toCount(row.teilbepreist),
    verbranntes_geld_eur: row.verbranntes_geld_eur,
  };
}
