/** SQL of what stands behind the lines of a month: use by agent, model and day. Amounts are plain decimals. */
import { sql } from 'kysely';
import type { MandantTx, Snapshot } from '#platform/database/index.ts';
import { firstDay } from './months.ts';

/** A part of what was used: counts and tokens whole, amounts exact. */
export interface StoredPosten {
  /** Null: those together that were not kept apart. */
  schluessel: string | null;
  /** How many these are. */
  gruppen?: number;
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
type NamedPosten = StoredPosten & { schluessel: string };

/**
 * The dearest parts behind a line, and the others as one; each kind adds up to the line. None where nothing was stored: a correction, or
 * no such line.
 */
export async function readPosten(
  tx: MandantTx,
  { monat, referenz, kind }: PostenOfLine,
  most: number,
): Promise<{ parts: NamedPosten[]; rest: StoredRest | null }> {
  const { rows } = await sql<StoredRest & { schluessel: string | null }>`
    SELECT CASE WHEN platz <= ${most} THEN min(schluessel) END AS schluessel, CASE WHEN platz <= ${most} THEN min(name) END AS name, sum(coalesce(gruppen, 1))::int AS gruppen,
      sum(aufrufe)::text AS aufrufe, sum(unbepreist)::text AS unbepreist, sum(eingabe_token)::text AS eingabe_token,
      sum(ausgabe_token)::text AS ausgabe_token, CASE WHEN count(token) = count(*) THEN sum(token)::text END AS token,
      trim_scale(sum(kosten_usd))::text AS kosten_usd,
      trim_scale(sum(kosten_eur))::text AS kosten_eur, trim_scale(sum(verbranntes_geld_eur))::text AS verbranntes_geld_eur
    FROM (SELECT p.*, CASE WHEN p.schluessel IS NULL THEN ${most} + 1 ELSE least(${most} + 1,
        row_number() OVER (ORDER BY p.schluessel IS NULL, p.kosten_eur DESC NULLS LAST, p.schluessel COLLATE "C")) END AS platz
      FROM abrechnungszeilen z CROSS JOIN json_to_recordset(z.posten -> ${kind}) AS p (schluessel text, name text, gruppen bigint, aufrufe numeric,
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

/** What an end customer used by model: of each day and provider apart where these are known. `referenz` '' for none. */
export interface UseOfCustomer {
  referenz: string;
  posten: StoredPosten[];
}

/** The names of agents that have one, by their keys. */
export async function readAgentNames(tx: MandantTx, keys: readonly string[]): Promise<Map<string, string>> {
  const { rows } = await sql<{ schluessel: string; name: string }>`
    SELECT schluessel, name FROM agenten
    WHERE mandant_id = ${tx.mandant} AND schluessel = ANY(${keys}::text[]) AND name IS NOT NULL`.execute(tx);
  return new Map(rows.map(({ schluessel, name }) => [schluessel, name]));
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
