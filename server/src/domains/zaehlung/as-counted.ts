/** A counted event as it was counted, by all that was kept of it: what it added to the sums. */
import type { LocalHour } from '#kernel/local-hours.ts';
import { EUR_SCALE, scaledFrom, usdFrom } from '#kernel/money.ts';
import { type ChangedEvent, eventOf, isBurnt } from './differences.ts';
import { PRICED_ROW, type PricedRow } from './price-again.ts';

export interface AsCounted extends PricedRow {
  kosten_usd: string | null;
  kosten_eur: string | null;
  teilbepreist: boolean;
  latenz_ms: number | null;
  erste_zeichen_ms: number | null;
  mit_fingerabdruck: boolean;
}

/** The columns of it. */
export const AS_COUNTED = `${PRICED_ROW}, trim_scale(kosten_usd)::text AS kosten_usd, trim_scale(kosten_eur)::text AS kosten_eur,
    teilbepreist, latenz_ms, erste_zeichen_ms, prompt_fingerabdruck IS NOT NULL AS mit_fingerabdruck`;

/** Two counts may add up to more than a number holds: the driver hands that over as text. */
const exactly = (count: number | string): number | bigint =>
  Number.isSafeInteger(Number(count)) ? Number(count) : BigInt(count);

/** The event as it was counted. */
export function countedOf(row: AsCounted, localHour: (ms: number) => LocalHour): ChangedEvent {
  const event = eventOf(row, localHour, {
    buckets:
      row.eingabe_ohne_cache === null
        ? null
        : {
            eingabeOhneCache: row.eingabe_ohne_cache,
            cacheLese: row.cache_lese_token ?? 0,
            cacheSchreib: row.cache_schreib_token ?? 0,
            ausgabeGesamt: exactly(row.ausgabe_gesamt ?? 0),
          },
    usd: row.kosten_usd === null ? null : usdFrom(row.kosten_usd),
    eur: row.kosten_eur === null ? null : scaledFrom(row.kosten_eur, EUR_SCALE),
    preisQuelle: null,
    teilbepreist: row.teilbepreist,
    failed: isBurnt(row),
  });
  return {
    ...event,
    latenzMs: row.latenz_ms,
    ersteZeichenMs: row.erste_zeichen_ms,
    mitFingerabdruck: row.mit_fingerabdruck,
    sent: {
      eingabe: row.eingabe_token,
      ausgabe: row.ausgabe_token,
      cacheLese: row.cache_lese_token,
      cacheSchreib: row.cache_schreib_token,
      denk: row.denk_token,
    },
  };
}
