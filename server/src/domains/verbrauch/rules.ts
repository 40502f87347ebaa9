/** From the rows of the database to the figures of the answers. */
import {
  FIGURE_NAMES,
  FIGURES,
  type FigureName,
  type Kurs as KursSchema,
  type Static,
  type Summe as SummeSchema,
  type Verbrauch as VerbrauchSchema,
  type VerbrauchZeile,
} from '#contracts';
import { sumOfCounts, toCount } from '#kernel/count.ts';
import { bucketsIn, toIsoWithOffset, type Zeitraum } from '#kernel/zeitraum.ts';
import type { Config } from '#platform/config.ts';
import type { SumsRow } from './groups.ts';

export type Zeile = Static<typeof VerbrauchZeile>;
export type Summe = Static<typeof SummeSchema>;
export type Kurs = Static<typeof KursSchema>;
type Rest = Static<typeof VerbrauchSchema>['rest'];

const isCounted = (name: FigureName) => ['count', 'tokens'].includes(FIGURES[name].kind);

type Told = readonly { name: FigureName; counted: boolean }[];
const OF_SUMS: Told = FIGURE_NAMES.map((name) => ({ name, counted: isCounted(name) }));
/** What of the cost of a row is estimated or at a substitute rate is a figure of sums only. */
const OF_ROWS: Told = OF_SUMS.filter(({ name }) => name !== 'geschaetzt_eur' && name !== 'ersatz_eur');

/** All tokens alike for every provider: none is counted twice in these. */
const KINDS = [
  'eingabe_ohne_cache',
  'cache_lese_token',
  'cache_schreib_token',
  'ausgabe_gesamt',
] as const satisfies FigureName[];

/** Counts become numbers, exact whatever their size; amounts stay plain decimals. An answer may have many thousands of them. */
function told(row: SumsRow, figures: Told): Record<string, string | number | null> {
  const result: Record<string, string | number | null> = {};
  for (const { name, counted } of figures) result[name] = counted ? toCount(row[name]) : row[name];
  result.token = sumOfCounts(KINDS.map((kind) => row[kind]));
  return result;
}

export const toSumme = (row: SumsRow): Summe =>
  ({ ...told(row, OF_SUMS), gemessen_eur: row.gemessen_eur }) as Summe;

/** The figures of a row. */
export const toFigures = (row: SumsRow) => told(row, OF_ROWS) as Omit<Zeile, 'schluessel' | 'werte'>;

export const toZeile = (schluessel: string, row: SumsRow): Zeile => ({ schluessel, ...toFigures(row) });

export const toRest = (row: (SumsRow & { gruppen: number }) | null): Rest =>
  row && { gruppen: row.gruppen, ...toSumme(row) };

/** Where nothing was called, nothing was spent: zero is known here, not assumed. */
const NO_CALLS = Object.fromEntries(
  [...FIGURE_NAMES, 'gemessen_eur'].map((name) => [name, '0']),
) as unknown as SumsRow;

export const summeOrNone = (row: SumsRow | undefined): Summe => toSumme(row ?? NO_CALLS);

/** An hour as the database gives it (UTC) as the key of its row: ISO 8601 with the offset of the zone. */
export const hourKey = (stunde: string, zone: string): string =>
  toIsoWithOffset(Temporal.Instant.from(stunde).toZonedDateTimeISO(zone));

/** Rows of a period, one for every bucket up to now or, where events are dated ahead, up to the last row. */
export function fillBuckets(
  zeitraum: Pick<Zeitraum, 'von' | 'bis' | 'aufloesung'>,
  rows: (SumsRow & { schluessel: string[] })[],
  now: Temporal.Instant,
): Zeile[] {
  const zone = zeitraum.von.timeZoneId;
  const byHour = zeitraum.aufloesung === 'stunde';
  const begin = ({ schluessel: [key = ''] }: { schluessel: string[] }): Temporal.Instant =>
    byHour ? Temporal.Instant.from(key) : Temporal.PlainDate.from(key).toZonedDateTime(zone).toInstant();
  const last = rows.at(-1);
  const until = last && Temporal.Instant.compare(begin(last), now) > 0 ? begin(last) : now;
  // By the number of its milliseconds: an hour has another text in each zone.
  const placeOf = ({ schluessel: [key = ''] }: { schluessel: string[] }) => (byHour ? Date.parse(key) : key);
  const rowAt = new Map(rows.map((row) => [placeOf(row), row]));
  return bucketsIn(zeitraum, until).map(({ key, begin: from }) =>
    toZeile(key, rowAt.get(byHour ? from.epochMilliseconds : key) ?? NO_CALLS),
  );
}

/** The latest reference rate, else the configured substitute. */
export function toKurs(
  row: { tag: string | null; usd_eur: string | null },
  { usdEurRate, usdEurRateDay }: Pick<Config, 'usdEurRate' | 'usdEurRateDay'>,
): Kurs {
  if (row.usd_eur === null) return { usd_eur: usdEurRate, tag: usdEurRateDay, quelle: 'ersatz' };
  return { usd_eur: row.usd_eur, tag: row.tag, quelle: 'ezb' };
}
