/** SQL of what stands behind the lines of a month: use by agent, model and day. Amounts are plain decimals. */
import { sql } from 'kysely';
import type { FigureName } from '#contracts';
import { type Crossing, crossing } from '#domains/verbrauch/index.ts';
import type { Window } from '#kernel/zeitraum.ts';
import type { MandantTx, Snapshot } from '#platform/database/index.ts';
import { firstDay } from './months.ts';

/** A part of what was used: counts and tokens whole, amounts exact. */
export interface StoredPosten {
  schluessel: string;
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
  kind: keyof typeof POSTEN;
}

/** What is not among the parts that were read, as one. */
type StoredRest = Omit<StoredPosten, 'schluessel'> & { gruppen: number };

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

export const POSTEN = { agenten: 'agent', modelle: 'modell', tage: 'tag' } as const;

/** SELECT of `referenz` (of the end customer that is charged) and `posten`: by agent, by model or by day. */
export async function postenBy(
  tx: MandantTx,
  { window, values }: Pick<Crossing, 'window' | 'values'>,
  other: (typeof POSTEN)[keyof typeof POSTEN],
  now: Temporal.Instant,
) {
  const question: Crossing = {
    window,
    by: 'endkunde',
    other,
    figures: FIGURES,
    ...(values ? { values } : {}),
  };
  const rows = await crossing(tx, question, now);
  const isAgent = other === 'agent';
  const nameOf = isAgent ? sql`min(a.name)` : sql`NULL::text`;
  const agents = isAgent
    ? sql`LEFT JOIN agenten a ON a.mandant_id = ${tx.mandant} AND a.schluessel = c.schluessel`
    : sql``;
  return sql`SELECT referenz, json_agg(json_build_object('schluessel', schluessel, ${isAgent ? sql`'name', name,` : sql``} 'aufrufe', aufrufe::text,
        'unbepreist', unbepreist::text, 'eingabe_token', eingabe_token::text, 'ausgabe_token', ausgabe_token::text, 'token', CASE WHEN aufgeteilt = aufrufe THEN token::text END,
        'kosten_usd', CASE WHEN aufrufe > unbepreist THEN trim_scale(kosten_usd)::text END,
        'kosten_eur', CASE WHEN aufrufe > unbepreist THEN trim_scale(kosten_eur)::text END,
        'verbranntes_geld_eur', trim_scale(verbrannt)::text) ORDER BY schluessel COLLATE "C") AS posten
    FROM (SELECT coalesce(z.referenz, e.referenz, '') AS referenz, c.schluessel, ${nameOf} AS name, sum(c.aufrufe) AS aufrufe,
        sum(c.unbepreist) AS unbepreist, sum(c.eingabe_token) AS eingabe_token,
        sum(c.ausgabe_token) AS ausgabe_token, sum(c.aufgeteilt) AS aufgeteilt,
        sum(c.eingabe_ohne_cache + c.cache_lese_token + c.cache_schreib_token + c.ausgabe_gesamt) AS token, sum(c.kosten_usd) AS kosten_usd, sum(c.kosten_eur) AS kosten_eur,
        sum(c.verbranntes_geld_eur) AS verbrannt
      FROM (${rows}) c
      LEFT JOIN endkunden e ON e.mandant_id = ${tx.mandant} AND e.referenz = c.wert
      LEFT JOIN endkunden z ON z.mandant_id = ${tx.mandant} AND z.endkunde_id = e.gehoert_zu
      ${agents}
      GROUP BY 1, 2) s
    GROUP BY referenz`;
}

/** What an end customer used of each model; `referenz` '' for none. */
export interface ModelsOfCustomer {
  referenz: string;
  posten: StoredPosten[];
}

/** Of end customers with these references, by the one that is charged: as it is now. */
export async function countedModels(
  tx: MandantTx,
  window: Window,
  values: readonly string[],
  now: Temporal.Instant,
): Promise<ModelsOfCustomer[]> {
  const { rows } = await sql<ModelsOfCustomer>`
    ${await postenBy(tx, { window, values }, POSTEN.modelle, now)}`.execute(tx);
  return rows;
}

const STORED_AT_ONCE = 100;

/** Of all, page by page in the order of references: as it was when the month was closed. */
export const storedModels = ({ tx, pages }: Snapshot, monat: string): AsyncIterable<ModelsOfCustomer[]> =>
  pages<ModelsOfCustomer>(
    `SELECT referenz, posten -> 'modelle' AS posten FROM abrechnungszeilen
     WHERE mandant_id = $1 AND monat = $2::date AND bezug = monat ORDER BY referenz`,
    [tx.mandant, firstDay(monat)],
    STORED_AT_ONCE,
  );

/** How many of those have no known cost. */
export async function countStoredUnpriced(tx: MandantTx, monat: string): Promise<number> {
  const { rows } = await sql<{ anzahl: number }>`
    SELECT count(*)::int AS anzahl FROM abrechnungszeilen z CROSS JOIN json_array_elements(z.posten -> 'modelle') AS p (posten)
    WHERE z.mandant_id = ${tx.mandant} AND z.monat = ${firstDay(monat)}::date AND z.bezug = z.monat AND z.unbepreist > 0
      AND p.posten ->> 'kosten_eur' IS NULL`.execute(tx);
  return rows[0]?.anzahl ?? 0;
}

/** The provider of each model in a window; null where calls name several, or none. */
export async function providersOf(
  tx: MandantTx,
  window: Window,
  now: Temporal.Instant,
): Promise<Map<string, string | null>> {
  const rows = await crossing(tx, { window, by: 'modell', other: 'anbieter', figures: ['aufrufe'] }, now);
  const { rows: found } = await sql<{ wert: string; anbieter: string | null }>`
    SELECT wert, CASE WHEN count(*) = 1 THEN nullif(min(schluessel), '') END AS anbieter FROM (${rows}) r GROUP BY wert`.execute(
    tx,
  );
  return new Map(found.map(({ wert, anbieter }) => [wert, anbieter]));
}
