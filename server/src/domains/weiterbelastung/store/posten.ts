/** SQL of what stands behind the lines of a month: use by agent, model and day. Amounts are plain decimals. */
import { sql } from 'kysely';
import type { FigureName } from '#contracts';
import type { EngineConsumption } from '#domains/verbrauch/index.ts';
import type { MandantTx, Snapshot } from '#platform/database/index.ts';
import { firstDay } from './months.ts';

/** A part of what was used: counts and tokens whole, amounts exact. */
export interface StoredPosten {
  schluessel: string;
  /** The day and the provider ('' for none) of a model, where they are apart. */
  tag?: string;
  anbieter?: string;
  /** Of an agent, as it was; left out where that was not kept. */
  name?: string | null;
  aufrufe: string;
  unbepreist: string;
  eingabe_token: string;
  ausgabe_token: string;
  /** All, alike for every provider; null where that is not known, and left out in months that a former release has closed. */
  token?: string | null;
  /** Null where no call has a known price. */
  kosten_usd: string | null;
  kosten_eur: string | null;
  verbranntes_geld_eur: string;
}

/** Parts of a kind that stand behind a line. */
interface PostenOfLine {
  monat: string;
  referenz: string;
  kind: 'agenten' | 'modelle' | 'tage';
}

/** What is not among the parts that were read, as one. */
type StoredRest = Omit<StoredPosten, 'schluessel' | 'tag' | 'anbieter'> & { gruppen: number };

/**
 * The dearest parts behind a line, and the others as one; each kind adds up to the line. None where nothing was stored: a correction, or
 * no such line.
 */
export async function readPosten(
  tx: MandantTx,
  { monat, referenz, kind }: PostenOfLine,
  most: number,
): Promise<{ parts: StoredPosten[]; rest: StoredRest | null }> {
  const { rows } = await sql<StoredRest & { schluessel: string | null }>`
    SELECT CASE WHEN platz <= ${most} THEN min(schluessel) END AS schluessel, CASE WHEN platz <= ${most} THEN min(name) END AS name, count(*)::int AS gruppen,
      sum(aufrufe)::text AS aufrufe, sum(unbepreist)::text AS unbepreist, sum(eingabe_token)::text AS eingabe_token,
      sum(ausgabe_token)::text AS ausgabe_token, CASE WHEN count(token) = count(*) THEN sum(token)::text END AS token,
      trim_scale(sum(kosten_usd))::text AS kosten_usd,
      trim_scale(sum(kosten_eur))::text AS kosten_eur, trim_scale(sum(verbranntes_geld_eur))::text AS verbranntes_geld_eur
    FROM (SELECT p.*, least(${most} + 1,
        row_number() OVER (ORDER BY p.kosten_eur DESC NULLS LAST, p.schluessel COLLATE "C")) AS platz
      FROM abrechnungszeilen z CROSS JOIN json_to_recordset(z.posten -> ${kind}) AS p (schluessel text, name text, aufrufe numeric,
        unbepreist numeric, eingabe_token numeric, ausgabe_token numeric, token numeric, kosten_usd numeric, kosten_eur numeric,
        verbranntes_geld_eur numeric)
      WHERE z.mandant_id = ${tx.mandant} AND z.monat = ${firstDay(monat)}::date AND z.bezug = z.monat
        AND z.referenz = ${referenz}) s
    GROUP BY platz ORDER BY platz`.execute(tx);
  const parts = rows.flatMap(({ schluessel, gruppen: _, ...part }) =>
    schluessel === null ? [] : [{ schluessel, ...part }],
  );
  return { parts, rest: rows.find(({ schluessel }) => schluessel === null) ?? null };
}

const FIGURES: readonly FigureName[] = [
  'aufrufe',
  'unbepreist',
  'eingabe_token',
  'ausgabe_token',
  'cache_lese_token',
  'cache_schreib_token',
  'eingabe_ohne_cache',
  'ausgabe_gesamt',
  'aufgeteilt',
  'kosten_usd',
  'kosten_eur',
  'verbranntes_geld_eur',
];

/** By which dimensions use is counted: by end customer, as calls name them, and these. */
export const BY_AGENT = ['agent'] as const;
export const BY_DAY = ['tag', 'anbieter', 'modell'] as const;

/** What was counted by end customer and more, in no order. */
export type CountedGroups = EngineConsumption['zeilen'];

/** Groups as rows: the end customer as `wert`, the other keys by their names, and the figures. */
function rowsOf(groups: CountedGroups, keys: readonly string[]) {
  const texts = ['wert', ...keys].map(
    (_, place) => sql`${groups.map((group) => group.schluessel[place])}::text[]`,
  );
  const figures = FIGURES.map((name) => sql`${groups.map((group) => group[name])}::numeric[]`);
  return sql`SELECT * FROM unnest(${sql.join([...texts, ...figures])})
    AS u (wert, ${sql.raw([...keys, ...FIGURES].join(', '))})`;
}

const SUMMED =
  sql.raw(`sum(c.aufrufe) AS aufrufe, sum(c.unbepreist) AS unbepreist, sum(c.eingabe_token) AS eingabe_token,
  sum(c.ausgabe_token) AS ausgabe_token, sum(c.aufgeteilt) AS aufgeteilt,
  sum(c.eingabe_ohne_cache + c.cache_lese_token + c.cache_schreib_token + c.ausgabe_gesamt) AS token,
  sum(c.kosten_usd) AS kosten_usd, sum(c.kosten_eur) AS kosten_eur, sum(c.verbranntes_geld_eur) AS verbrannt`);

/** Whom the end customers of rows `c` count for. */
const joined = (
  tx: MandantTx,
) => sql`LEFT JOIN endkunden e ON e.mandant_id = ${tx.mandant} AND e.referenz = c.wert
  LEFT JOIN endkunden z ON z.mandant_id = ${tx.mandant} AND z.endkunde_id = e.gehoert_zu`;
/** The reference that is charged. */
const REFERENZ = sql`coalesce(z.referenz, e.referenz, '')`;

/** A part as it is stored, with what names it. */
const part = (keys: string) =>
  sql.raw(`json_build_object(${keys}, 'aufrufe', aufrufe::text,
    'unbepreist', unbepreist::text, 'eingabe_token', eingabe_token::text, 'ausgabe_token', ausgabe_token::text, 'token', CASE WHEN aufgeteilt = aufrufe THEN token::text END,
    'kosten_usd', CASE WHEN aufrufe > unbepreist THEN trim_scale(kosten_usd)::text END,
    'kosten_eur', CASE WHEN aufrufe > unbepreist THEN trim_scale(kosten_eur)::text END,
    'verbranntes_geld_eur', trim_scale(verbrannt)::text)`);

/** SELECT of `referenz` (of the end customer that is charged) and `agenten`, of what was counted by agent. */
export const postenByAgent = (tx: MandantTx, groups: CountedGroups) =>
  sql`SELECT referenz, json_agg(${part("'schluessel', agent, 'name', name")} ORDER BY agent COLLATE "C") AS agenten
    FROM (SELECT ${REFERENZ} AS referenz, c.agent, min(a.name) AS name, ${SUMMED}
      FROM (${rowsOf(groups, BY_AGENT)}) c ${joined(tx)}
      LEFT JOIN agenten a ON a.mandant_id = ${tx.mandant} AND a.schluessel = c.agent
      GROUP BY 1, 2) s
    GROUP BY referenz`;

/** SELECT of `referenz`, `modelle`, `tage` and `focus` (by day, provider and model), of what was counted by these. */
export const postenByDay = (tx: MandantTx, groups: CountedGroups) =>
  sql`SELECT referenz,
      json_agg(${part("'schluessel', modell")} ORDER BY modell COLLATE "C") FILTER (WHERE ist = ${sql.lit(0b110)}) AS modelle,
      json_agg(${part("'schluessel', tag")} ORDER BY tag) FILTER (WHERE ist = ${sql.lit(0b011)}) AS tage,
      json_agg(${part("'schluessel', modell, 'tag', tag, 'anbieter', anbieter")}
        ORDER BY tag, anbieter COLLATE "C", modell COLLATE "C") FILTER (WHERE ist = 0) AS focus
    FROM (SELECT ${REFERENZ} AS referenz, c.tag, c.anbieter, c.modell, grouping(c.tag, c.anbieter, c.modell) AS ist, ${SUMMED}
      FROM (${rowsOf(groups, BY_DAY)}) c ${joined(tx)}
      GROUP BY GROUPING SETS ((1, c.tag, c.anbieter, c.modell), (1, c.tag), (1, c.modell))) s
    GROUP BY referenz`;

/** What an end customer used by model: of each day and provider apart where these are known. `referenz` '' for none. */
export interface UseOfCustomer {
  referenz: string;
  posten: StoredPosten[];
}

/** By the end customer that is charged as things are now, in the order of references. */
export async function countedUse(tx: MandantTx, groups: CountedGroups): Promise<UseOfCustomer[]> {
  const { rows } = await sql<UseOfCustomer>`
    SELECT referenz, focus AS posten FROM (${postenByDay(tx, groups)}) p ORDER BY referenz COLLATE "C"`.execute(
    tx,
  );
  return rows;
}

const STORED_AT_ONCE = 100;

/** Whether a closed month keeps use by day and provider: calls without an end customer have a line in every month. */
export async function isKeptByDay(tx: MandantTx, monat: string): Promise<boolean> {
  const { rows } = await sql<{ kept: boolean }>`
    SELECT posten -> 'focus' IS NOT NULL AS kept FROM abrechnungszeilen
    WHERE mandant_id = ${tx.mandant} AND monat = ${firstDay(monat)}::date AND bezug = monat AND referenz = ''`.execute(
    tx,
  );
  return rows[0]?.kept ?? false;
}

/** Of all, page by page in the order of references: as it was when the month was closed. */
export const storedUse = ({ tx, pages }: Snapshot, monat: string): AsyncIterable<UseOfCustomer[]> =>
  pages<UseOfCustomer>(
    `SELECT referenz, coalesce(posten -> 'focus', posten -> 'modelle') AS posten FROM abrechnungszeilen
     WHERE mandant_id = $1 AND monat = $2::date AND bezug = monat ORDER BY referenz`,
    [tx.mandant, firstDay(monat)],
    STORED_AT_ONCE,
  );

/** How many of those have no known cost. */
export async function countStoredUnpriced(tx: MandantTx, monat: string): Promise<number> {
  const { rows } = await sql<{ anzahl: number }>`
    SELECT count(*)::int AS anzahl FROM abrechnungszeilen z
      CROSS JOIN json_array_elements(coalesce(z.posten -> 'focus', z.posten -> 'modelle')) AS p (posten)
    WHERE z.mandant_id = ${tx.mandant} AND z.monat = ${firstDay(monat)}::date AND z.bezug = z.monat AND z.unbepreist > 0
      AND p.posten ->> 'kosten_eur' IS NULL`.execute(tx);
  return rows[0]?.anzahl ?? 0;
}
