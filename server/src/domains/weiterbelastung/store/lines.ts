/** SQL of the lines of closed months: what they bill. Months are `YYYY-MM`, amounts plain decimals. */
import { sql } from 'kysely';
import type { MandantTx } from '#platform/database/index.ts';
import type { Line } from '../line.ts';
import type { PostenOfLine } from '../parts.ts';
import { firstDay } from './months.ts';

type StoredLine = Omit<Line, 'art' | 'aufrufe' | 'unbepreist' | 'teilbepreist'> & {
  bezug: string;
  aufrufe: string;
  unbepreist: string;
  teilbepreist: string;
};

function selectLines(tx: MandantTx) {
  return sql`SELECT to_char(monat, 'YYYY-MM') AS monat, to_char(bezug, 'YYYY-MM') AS bezug, referenz,
      coalesce(zahler, referenz) AS zahler, name, kostenstelle,
      debitorenkonto, trim_scale(aufschlag_prozent)::text AS aufschlag_prozent, aufrufe::text, unbepreist::text, teilbepreist::text,
      trim_scale(kosten_eur)::text AS kosten_eur, trim_scale(verbranntes_geld_eur)::text AS verbranntes_geld_eur,
      trim_scale(abrechenbar_eur)::text AS abrechenbar_eur, betrag_eur::numeric(40, 2)::text AS betrag_eur
    FROM abrechnungszeilen WHERE mandant_id = ${tx.mandant}`;
}

const toLine = ({ bezug, monat, ...row }: StoredLine): Line => ({
  ...row,
  art: bezug === monat ? 'verbrauch' : 'korrektur',
  monat: bezug,
  aufrufe: Number(row.aufrufe),
  unbepreist: Number(row.unbepreist),
  teilbepreist: Number(row.teilbepreist),
});

/** Nothing, or that the text is one of them. */
const among = (column: 'referenz' | 'zahler', values: readonly string[] | undefined) => {
  const text = column === 'zahler' ? sql`coalesce(zahler, referenz)` : sql`referenz`;
  return values ? sql`AND ${text} = ANY(${values}::text[])` : sql``;
};

/**
 * What was billed in a closed month, by reference, corrections by their month; `referenz` '': calls without an end customer. Of all that
 * are charged, or of these.
 */
export async function readLines(tx: MandantTx, monat: string, zahler?: readonly string[]): Promise<Line[]> {
  const { rows } = await sql<StoredLine>`${selectLines(tx)} AND monat = ${firstDay(monat)}::date
    ${among('zahler', zahler)} ORDER BY referenz, bezug`.execute(tx);
  return rows.map(toLine);
}

/** What has been billed for the calls of a month so far, of all references or of these: its own lines, and corrections in later months. */
export async function readLinesAbout(
  tx: MandantTx,
  monat: string,
  referenzen?: readonly string[],
): Promise<Line[]> {
  const { rows } = await sql<StoredLine>`${selectLines(tx)} AND bezug = ${firstDay(monat)}::date
    ${among('referenz', referenzen)} ORDER BY monat, referenz`.execute(tx);
  return rows.map(toLine);
}

/** What a reference has of a line, as it was billed. */
export type Share = Pick<
  Line,
  'referenz' | 'aufrufe' | 'unbepreist' | 'teilbepreist' | 'kosten_eur' | 'verbranntes_geld_eur'
>;

/** What each reference has of the lines of a closed month's own calls, where several do or another one, by the reference of the line; as above. */
export async function readShares(
  tx: MandantTx,
  monat: string,
  referenzen?: readonly string[],
): Promise<Map<string, Share[]>> {
  const { rows } = await sql<{ referenz: string; anteile: Share[] }>`
    SELECT referenz, anteile FROM abrechnungszeilen
    WHERE mandant_id = ${tx.mandant} AND monat = ${firstDay(monat)}::date AND bezug = monat AND anteile IS NOT NULL
      ${among('referenz', referenzen)}`.execute(tx);
  return new Map(rows.map(({ referenz, anteile }) => [referenz, anteile]));
}

/** What bookkeeping calls an end customer of a closed month instead of what was stored; fields that are not there stay. */
export type Amendment = Partial<Pick<Line, 'name' | 'kostenstelle' | 'debitorenkonto'>>;

/** By the reference that is charged, of all or of these. */
export async function readAmendments(
  tx: MandantTx,
  monat: string,
  zahler?: readonly string[],
): Promise<Map<string, Amendment>> {
  const { rows } = await sql<{ zahler: string; berichtigung: Amendment }>`
    SELECT coalesce(zahler, referenz) AS zahler, berichtigung FROM abrechnungszeilen
    WHERE mandant_id = ${tx.mandant} AND monat = ${firstDay(monat)}::date AND berichtigung IS NOT NULL
      ${among('zahler', zahler)}`.execute(tx);
  return new Map(rows.map(({ zahler, berichtigung }) => [zahler, berichtigung]));
}

/** Puts amendments on all lines that an end customer is charged in a closed month. */
export async function writeAmendment(
  tx: MandantTx,
  monat: string,
  zahler: string,
  amendment: Amendment,
): Promise<void> {
  await sql`UPDATE abrechnungszeilen SET berichtigung = ${JSON.stringify(amendment)}::json
    WHERE mandant_id = ${tx.mandant} AND monat = ${firstDay(monat)}::date AND coalesce(zahler, referenz) = ${zahler}`.execute(
    tx,
  );
}

interface Closing {
  monat: string;
  lines: readonly Line[];
  /** What the references have of a line of the month's own calls, where others than its own do. */
  shares: Map<string, Share[]>;
  /** What is behind lines of the month's own calls, by the reference of the line. */
  behind: ReadonlyMap<string, PostenOfLine>;
}

const NOTHING_BEHIND: PostenOfLine = { agenten: [], modelle: [], tage: [], focus: [] };

/** Stores some of what a month that is closed (`insertMonth`) bills, with what stands behind each line of its own calls. */
export async function insertLines(tx: MandantTx, { monat, lines, shares, behind }: Closing): Promise<void> {
  const column = (name: keyof Line) => sql`${lines.map((line) => line[name])}`;
  const anteile = lines.map(({ art, referenz }) => {
    const parts = art === 'verbrauch' ? shares.get(referenz) : undefined;
    return parts ? JSON.stringify(parts) : null;
  });
  // One text, as the database takes it: a list of texts would be escaped quote by quote.
  const posten = JSON.stringify(
    Object.fromEntries(
      lines.flatMap(({ art, referenz }) =>
        art === 'verbrauch' ? [[referenz, behind.get(referenz) ?? NOTHING_BEHIND]] : [],
      ),
    ),
  );
  await sql`
    INSERT INTO abrechnungszeilen (mandant_id, monat, bezug, referenz, name, kostenstelle, debitorenkonto, aufschlag_prozent,
      aufrufe, unbepreist, teilbepreist, kosten_eur, verbranntes_geld_eur, abrechenbar_eur, betrag_eur, zahler, anteile, posten)
    SELECT wer.mandant_id, ${firstDay(monat)}::date, l.bezug, l.referenz, l.name, l.kostenstelle, l.debitorenkonto,
      l.aufschlag, l.aufrufe, l.unbepreist, l.teilbepreist, l.kosten, l.verbrannt, l.abrechenbar, l.betrag,
      nullif(l.zahler, l.referenz), l.anteile::json, p.posten
    FROM abrechnungsmonate wer CROSS JOIN unnest(${lines.map((line) => firstDay(line.monat))}::date[], ${column('referenz')}::text[], ${column('name')}::text[],
      ${column('kostenstelle')}::text[], ${column('debitorenkonto')}::text[], ${column('aufschlag_prozent')}::numeric[],
      ${column('aufrufe')}::bigint[], ${column('unbepreist')}::bigint[], ${column('teilbepreist')}::bigint[],
      ${column('kosten_eur')}::numeric[], ${column('verbranntes_geld_eur')}::numeric[], ${column('abrechenbar_eur')}::numeric[],
      ${column('betrag_eur')}::numeric[], ${column('zahler')}::text[], ${anteile}::text[]) AS l (bezug, referenz, name, kostenstelle, debitorenkonto, aufschlag, aufrufe,
      unbepreist, teilbepreist, kosten, verbrannt, abrechenbar, betrag, zahler, anteile)
    LEFT JOIN json_each(${posten}::json) AS p (referenz, posten) ON p.referenz = l.referenz
    WHERE wer.mandant_id = ${tx.mandant} AND wer.monat = ${firstDay(monat)}::date`.execute(tx);
}
