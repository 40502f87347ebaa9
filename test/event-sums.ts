/** The figures of a consumption answer, added up from the events themselves by SQL instead of read from the rollups. */
import { DIMENSION_NAMES, DIMENSIONS, type DimensionName } from '#contracts';
import type { Consumption } from './outside-account.ts';
import type { ServiceProcess } from './service-process.ts';

export const GROUPS = [...DIMENSION_NAMES, 'tag', 'stunde'] as const;
export type Group = (typeof GROUPS)[number];

const KEYS: Record<Group, string> = {
  ...(Object.fromEntries(
    DIMENSION_NAMES.map((name) => [name, `coalesce(${DIMENSIONS[name].column}, '')`]),
  ) as Record<DimensionName, string>),
  tag: "to_char(zeitpunkt AT TIME ZONE 'Europe/Berlin', 'YYYY-MM-DD')",
  stunde: `to_char(date_trunc('hour', zeitpunkt, 'UTC') AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')`,
};

const SUMS = `trim_scale(sum(kosten_eur))::text AS kosten_eur, trim_scale(sum(kosten_usd))::text AS kosten_usd,
  count(*)::int AS aufrufe, coalesce(sum(eingabe_token), 0)::float8 AS eingabe_token,
  coalesce(sum(ausgabe_token), 0)::float8 AS ausgabe_token,
  coalesce(sum(cache_lese_token), 0)::float8 AS cache_lese_token,
  coalesce(sum(cache_schreib_token), 0)::float8 AS cache_schreib_token,
  coalesce(sum(denk_token), 0)::float8 AS denk_token,
  coalesce(sum(eingabe_ohne_cache), 0)::float8 AS eingabe_ohne_cache,
  coalesce(sum(ausgabe_gesamt), 0)::float8 AS ausgabe_gesamt, count(*)::int AS aufgeteilt,
  coalesce(sum(eingabe_ohne_cache + coalesce(cache_lese_token, 0) + coalesce(cache_schreib_token, 0) + ausgabe_gesamt), 0)::float8 AS token,
  (count(*) FILTER (WHERE status NOT IN ('erfolgreich', 'abgebrochen')))::int AS fehler,
  (count(*) FILTER (WHERE kosten_usd IS NULL))::int AS unbepreist,
  (count(*) FILTER (WHERE teilbepreist))::int AS teilbepreist,
  (count(*) FILTER (WHERE geschaetzt))::int AS geschaetzt,
  trim_scale(coalesce(sum(kosten_eur) FILTER (WHERE status NOT IN ('erfolgreich', 'abgebrochen') OR wiederholung), 0))::text AS verbranntes_geld_eur`;

type Row = Consumption['zeilen'][number];

const byKey = (rows: Row[]): Row[] => rows.toSorted((a, b) => (a.schluessel < b.schluessel ? -1 : 1));

/** One row per key, by key. Hours are named by their beginning in UTC, whatever the zone calls them. */
export async function sumsOfEvents(
  service: Pick<ServiceProcess, 'sql'>,
  mandantId: string,
  gruppe: Group,
): Promise<Row[]> {
  const rows = await service.sql<Row>(
    `SELECT ${KEYS[gruppe]} AS schluessel, ${SUMS} FROM ereignisse WHERE mandant_id = $1 GROUP BY 1`,
    [mandantId],
  );
  return byKey(rows);
}

/** The rows of an answer in the same form and order. */
export function comparable({ gruppe, zeilen }: Consumption): Row[] {
  const hour = (key: string) => new Date(key).toISOString().replace('.000Z', 'Z');
  return byKey(
    gruppe === 'stunde' ? zeilen.map((row) => ({ ...row, schluessel: hour(row.schluessel) })) : zeilen,
  );
}
