/** From the rows of the rollups to the figures of the answers. */
import type { Kurs as KursSchema, Static, Summe as SummeSchema, VerbrauchZeile } from '#contracts';
import { toCount } from '#kernel/count.ts';
import { bucketKeys, toIsoWithOffset, type Zeitraum } from '#kernel/zeitraum.ts';

export type Zeile = Static<typeof VerbrauchZeile>;
export type Summe = Static<typeof SummeSchema>;
export type Kurs = Static<typeof KursSchema>;
type Figures = Omit<Zeile, 'schluessel'>;

/** Sums of a group. Counts are sums of bigint and arrive as text; amounts are plain decimals. */
export interface SumsRow {
  kosten_eur: string | null;
  kosten_usd: string | null;
  gemessen_eur: string | null;
  geschaetzt_eur: string | null;
  verbranntes_geld_eur: string;
  aufrufe: string | null;
  eingabe_token: string | null;
  ausgabe_token: string | null;
  cache_lese_token: string | null;
  cache_schreib_token: string | null;
  denk_token: string | null;
  fehler: string | null;
  unbepreist: string | null;
  geschaetzt: string | null;
}

export function toFigures(row: SumsRow): Figures {
  return {
    kosten_eur: row.kosten_eur,
    kosten_usd: row.kosten_usd,
    aufrufe: toCount(row.aufrufe),
    eingabe_token: toCount(row.eingabe_token),
    ausgabe_token: toCount(row.ausgabe_token),
    cache_lese_token: toCount(row.cache_lese_token),
    cache_schreib_token: toCount(row.cache_schreib_token),
    denk_token: toCount(row.denk_token),
    fehler: toCount(row.fehler),
    unbepreist: toCount(row.unbepreist),
    geschaetzt: toCount(row.geschaetzt),
    verbranntes_geld_eur: row.verbranntes_geld_eur,
  };
}

export const toSumme = (row: SumsRow): Summe => ({
  ...toFigures(row),
  gemessen_eur: row.gemessen_eur,
  geschaetzt_eur: row.geschaetzt_eur,
});

export const toZeile = (schluessel: string, row: SumsRow): Zeile => ({ schluessel, ...toFigures(row) });

/** Where nothing was called, nothing was spent: zero is known here, not assumed. */
const NO_CALLS: SumsRow = {
  kosten_eur: '0',
  kosten_usd: '0',
  gemessen_eur: '0',
  geschaetzt_eur: '0',
  verbranntes_geld_eur: '0',
  aufrufe: null,
  eingabe_token: null,
  ausgabe_token: null,
  cache_lese_token: null,
  cache_schreib_token: null,
  denk_token: null,
  fehler: null,
  unbepreist: null,
  geschaetzt: null,
};

export const summeOrNone = (row: SumsRow | undefined): Summe => toSumme(row ?? NO_CALLS);

/** An hour as the database gives it (UTC) as the key of its row: ISO 8601 with the offset of the zone. */
export const hourKey = (stunde: string, zone: string): string =>
  toIsoWithOffset(Temporal.Instant.from(stunde).toZonedDateTimeISO(zone));

/** Rows of a period, one for every bucket up to now or, where events are dated ahead, up to the last row. */
export function fillBuckets(
  zeitraum: Zeitraum,
  rows: (SumsRow & { bucket: string })[],
  now: Temporal.Instant,
): Zeile[] {
  const zone = zeitraum.von.timeZoneId;
  const begin = ({ bucket }: { bucket: string }): Temporal.Instant =>
    zeitraum.aufloesung === 'stunde'
      ? Temporal.Instant.from(bucket)
      : Temporal.PlainDate.from(bucket).toZonedDateTime(zone).toInstant();
  const last = rows.at(-1);
  const until = last && Temporal.Instant.compare(begin(last), now) > 0 ? begin(last) : now;
  const byKey = new Map(
    rows.map((row) => [zeitraum.aufloesung === 'stunde' ? hourKey(row.bucket, zone) : row.bucket, row]),
  );
  return bucketKeys(zeitraum, until).map((key) => toZeile(key, byKey.get(key) ?? NO_CALLS));
}

/** The latest reference rate, else the configured substitute. */
export function toKurs(row: { tag: string | null; usd_eur: string | null }, substitute: string): Kurs {
  if (row.usd_eur === null) return { usd_eur: substitute, tag: null, quelle: 'ersatz' };
  return { usd_eur: row.usd_eur, tag: row.tag, quelle: 'ezb' };
}
