/** SQL of closed months and their lines. Months are `YYYY-MM`, amounts plain decimals, times ISO 8601 in UTC. */
import { sql } from 'kysely';
import type { FigureName } from '#contracts';
import { type Crossing, crossing } from '#domains/verbrauch/index.ts';
import type { Window } from '#kernel/zeitraum.ts';
import type { MandantTx } from '#platform/database/index.ts';
import type { Line } from '../line.ts';
import type { Terms } from '../rules.ts';

export type ClosedMonth = Terms & {
  monat: string;
  zeitzone: string;
  geschlossen_am: string;
  geschlossen_von: string | null;
  /** How often its days had changed when they were last billed. */
  stand: string;
};

const MONTH = (column: string) => sql<string>`to_char(${sql.ref(column)}, 'YYYY-MM')`;
const first = (monat: string) => `${monat}-01`;
const exact = <T extends string | null>(column: string) => sql<T>`trim_scale(${sql.ref(column)})::text`;

/** All of them, the latest first. */
export const readClosedMonths = (tx: MandantTx): Promise<ClosedMonth[]> =>
  tx
    .selectFrom('abrechnungsmonate')
    .select([
      MONTH('monat').as('monat'),
      'zeitzone',
      'verbranntes_berechnen',
      'aufschlag_ausweisen',
      'geschlossen_am',
      'geschlossen_von',
    ])
    .select([
      exact<string | null>('steuersatz_prozent').as('steuersatz_prozent'),
      exact<string>('stand').as('stand'),
    ])
    .where('mandant_id', '=', tx.mandant)
    .orderBy('abrechnungsmonate.monat', 'desc')
    .execute();

/** How often the days of a month have changed: another number means other sums. */
export async function readChanges(tx: MandantTx, monat: string): Promise<string> {
  const { rows } = await sql<{ stand: string }>`
    SELECT coalesce(sum(geaendert), 0)::text AS stand FROM verbrauch_tagesstand
    WHERE mandant_id = ${tx.mandant} AND tag >= ${first(monat)}::date
      AND tag < (${first(monat)}::date + interval '1 month')`.execute(tx);
  return rows[0]?.stand ?? '0';
}

export async function insertMonth(tx: MandantTx, month: ClosedMonth): Promise<void> {
  await tx
    .insertInto('abrechnungsmonate')
    .values({ ...month, monat: first(month.monat), mandant_id: tx.mandant })
    .execute();
}

/** What has changed in the month up to this number is billed. */
export async function setBilled(tx: MandantTx, monat: string, stand: string): Promise<void> {
  await sql`UPDATE abrechnungsmonate SET stand = ${stand}::numeric
    WHERE mandant_id = ${tx.mandant} AND monat = ${first(monat)}::date`.execute(tx);
}

type Stored = Omit<Line, 'art' | 'aufrufe' | 'unbepreist' | 'teilbepreist'> & {
  bezug: string;
  aufrufe: string;
  unbepreist: string;
  teilbepreist: string;
};

function selectLines(tx: MandantTx) {
  return sql`SELECT to_char(monat, 'YYYY-MM') AS monat, to_char(bezug, 'YYYY-MM') AS bezug, referenz, name, kostenstelle,
      debitorenkonto, trim_scale(aufschlag_prozent)::text AS aufschlag_prozent, aufrufe::text, unbepreist::text, teilbepreist::text,
      trim_scale(kosten_eur)::text AS kosten_eur, trim_scale(verbranntes_geld_eur)::text AS verbranntes_geld_eur,
      trim_scale(abrechenbar_eur)::text AS abrechenbar_eur, betrag_eur::numeric(40, 2)::text AS betrag_eur
    FROM abrechnungszeilen WHERE mandant_id = ${tx.mandant}`;
}

const toLine = ({ bezug, monat, ...row }: Stored): Line => ({
  ...row,
  art: bezug === monat ? 'verbrauch' : 'korrektur',
  monat: bezug,
  aufrufe: Number(row.aufrufe),
  unbepreist: Number(row.unbepreist),
  teilbepreist: Number(row.teilbepreist),
});

/** What was billed in a closed month, by reference, corrections by their month; `referenz` '': calls without an end customer. */
export async function readLines(tx: MandantTx, monat: string): Promise<Line[]> {
  const { rows } = await sql<Stored>`${selectLines(tx)} AND monat = ${first(monat)}::date
    ORDER BY referenz, bezug`.execute(tx);
  return rows.map(toLine);
}

/** What has been billed for the calls of a month so far: its own lines, and corrections in later months. */
export async function readLinesAbout(tx: MandantTx, monat: string): Promise<Line[]> {
  const { rows } = await sql<Stored>`${selectLines(tx)} AND bezug = ${first(monat)}::date
    ORDER BY monat, referenz`.execute(tx);
  return rows.map(toLine);
}

/** A part of what was used: counts and tokens whole, amounts exact. */
export interface StoredPart {
  schluessel: string;
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
interface Behind {
  monat: string;
  referenz: string;
  kind: keyof typeof PARTS;
}

/** What is not among the parts that were read, as one. */
type StoredRest = Omit<StoredPart, 'schluessel'> & { gruppen: number };

/**
 * The dearest parts behind a line, and the others as one; each kind adds up to the line. None where nothing was stored: a correction, or
 * no such line.
 */
export async function readParts(
  tx: MandantTx,
  { monat, referenz, kind }: Behind,
  most: number,
): Promise<{ parts: StoredPart[]; rest: StoredRest | null }> {
  const { rows } = await sql<StoredRest & { schluessel: string | null }>`
    SELECT CASE WHEN platz <= ${most} THEN min(schluessel) END AS schluessel, count(*)::int AS gruppen,
      sum(aufrufe)::text AS aufrufe, sum(unbepreist)::text AS unbepreist, sum(eingabe_token)::text AS eingabe_token,
      sum(ausgabe_token)::text AS ausgabe_token, CASE WHEN count(token) = count(*) THEN sum(token)::text END AS token,
      trim_scale(sum(kosten_usd))::text AS kosten_usd,
      trim_scale(sum(kosten_eur))::text AS kosten_eur, trim_scale(sum(verbranntes_geld_eur))::text AS verbranntes_geld_eur
    FROM (SELECT p.*, least(${most} + 1,
        row_number() OVER (ORDER BY p.kosten_eur DESC NULLS LAST, p.schluessel COLLATE "C")) AS platz
      FROM abrechnungszeilen z CROSS JOIN json_to_recordset(z.posten -> ${kind}) AS p (schluessel text, aufrufe numeric,
        unbepreist numeric, eingabe_token numeric, ausgabe_token numeric, token numeric, kosten_usd numeric, kosten_eur numeric,
        verbranntes_geld_eur numeric)
      WHERE z.mandant_id = ${tx.mandant} AND z.monat = ${first(monat)}::date AND z.bezug = z.monat
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

const PARTS = { agenten: 'agent', modelle: 'modell', tage: 'tag' } as const;

/** SELECT of `referenz` (of the end customer that is charged) and `posten`: by agent, by model or by day. */
async function partsBy(
  tx: MandantTx,
  { window, values }: Pick<Crossing, 'window' | 'values'>,
  other: (typeof PARTS)[keyof typeof PARTS],
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
  return sql`SELECT referenz, json_agg(json_build_object('schluessel', schluessel, 'aufrufe', aufrufe::text,
        'unbepreist', unbepreist::text, 'eingabe_token', eingabe_token::text, 'ausgabe_token', ausgabe_token::text, 'token', CASE WHEN aufgeteilt = aufrufe THEN token::text END,
        'kosten_usd', CASE WHEN aufrufe > unbepreist THEN trim_scale(kosten_usd)::text END,
        'kosten_eur', CASE WHEN aufrufe > unbepreist THEN trim_scale(kosten_eur)::text END,
        'verbranntes_geld_eur', trim_scale(verbrannt)::text) ORDER BY schluessel COLLATE "C") AS posten
    FROM (SELECT coalesce(z.referenz, e.referenz, '') AS referenz, c.schluessel, sum(c.aufrufe) AS aufrufe,
        sum(c.unbepreist) AS unbepreist, sum(c.eingabe_token) AS eingabe_token,
        sum(c.ausgabe_token) AS ausgabe_token, sum(c.aufgeteilt) AS aufgeteilt,
        sum(c.eingabe_ohne_cache + c.cache_lese_token + c.cache_schreib_token + c.ausgabe_gesamt) AS token, sum(c.kosten_usd) AS kosten_usd, sum(c.kosten_eur) AS kosten_eur,
        sum(c.verbranntes_geld_eur) AS verbrannt
      FROM (${rows}) c
      LEFT JOIN endkunden e ON e.mandant_id = ${tx.mandant} AND e.referenz = c.wert
      LEFT JOIN endkunden z ON z.mandant_id = ${tx.mandant} AND z.endkunde_id = e.gehoert_zu
      GROUP BY 1, 2) s
    GROUP BY referenz`;
}

/** What each end customer used of each model, by reference ('' for none): as it is now. */
export async function countedModels(
  tx: MandantTx,
  window: Window,
  now: Temporal.Instant,
): Promise<{ referenz: string; posten: StoredPart[] }[]> {
  const { rows } = await sql<{ referenz: string; posten: StoredPart[] }>`
    ${await partsBy(tx, { window }, PARTS.modelle, now)}`.execute(tx);
  return rows;
}

/** … as it was when the month was closed. */
export async function storedModels(
  tx: MandantTx,
  monat: string,
): Promise<{ referenz: string; posten: StoredPart[] }[]> {
  const { rows } = await sql<{ referenz: string; posten: StoredPart[] }>`
    SELECT referenz, posten -> 'modelle' AS posten FROM abrechnungszeilen
    WHERE mandant_id = ${tx.mandant} AND monat = ${first(monat)}::date AND bezug = monat`.execute(tx);
  return rows;
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

/** The references that are charged under another one, by that one. */
async function readMerged(tx: MandantTx): Promise<Map<string, string[]>> {
  const { rows } = await sql<{ ziel: string; referenz: string }>`
    SELECT z.referenz AS ziel, e.referenz FROM endkunden e
    JOIN endkunden z ON z.mandant_id = ${tx.mandant} AND z.endkunde_id = e.gehoert_zu
    WHERE e.mandant_id = ${tx.mandant}`.execute(tx);
  const merged = Map.groupBy(rows, ({ ziel }) => ziel);
  return new Map([...merged].map(([ziel, members]) => [ziel, members.map(({ referenz }) => referenz)]));
}

/** Lines of a statement: what stands behind them takes the longer the more there are, and each statement has its limit. */
const LINES_AT_ONCE = 500;

interface Closing {
  monat: string;
  window: Window;
  lines: Line[];
}

/** Stores what a month that is closed (`insertMonth`) bills, with what stands behind each line of its own calls. */
export async function insertLines(
  tx: MandantTx,
  { lines, ...closing }: Closing,
  now: Temporal.Instant,
): Promise<void> {
  const merged = await readMerged(tx);
  for (let first = 0; first < lines.length; first += LINES_AT_ONCE) {
    const some = lines.slice(first, first + LINES_AT_ONCE);
    const values = some.flatMap(({ referenz }) => [referenz, ...(merged.get(referenz) ?? [])]);
    await insertSome(tx, { ...closing, lines: some, values }, now);
  }
}

async function insertSome(
  tx: MandantTx,
  { monat, lines, ...of }: Closing & { values: string[] },
  now: Temporal.Instant,
): Promise<void> {
  const column = (name: keyof Line) => sql`${lines.map((line) => line[name])}`;
  const [agents, models, days] = await Promise.all([
    partsBy(tx, of, PARTS.agenten, now),
    partsBy(tx, of, PARTS.modelle, now),
    partsBy(tx, of, PARTS.tage, now),
  ]);
  await sql`
    INSERT INTO abrechnungszeilen (mandant_id, monat, bezug, referenz, name, kostenstelle, debitorenkonto, aufschlag_prozent,
      aufrufe, unbepreist, teilbepreist, kosten_eur, verbranntes_geld_eur, abrechenbar_eur, betrag_eur, posten)
    SELECT wer.mandant_id, ${first(monat)}::date, l.bezug, l.referenz, l.name, l.kostenstelle, l.debitorenkonto,
      l.aufschlag, l.aufrufe, l.unbepreist, l.teilbepreist, l.kosten, l.verbrannt, l.abrechenbar, l.betrag,
      CASE WHEN l.bezug = ${first(monat)}::date THEN json_build_object('agenten', coalesce(a.posten, '[]'),
        'modelle', coalesce(m.posten, '[]'), 'tage', coalesce(t.posten, '[]')) END
    FROM abrechnungsmonate wer CROSS JOIN unnest(${lines.map((line) => first(line.monat))}::date[], ${column('referenz')}::text[], ${column('name')}::text[],
      ${column('kostenstelle')}::text[], ${column('debitorenkonto')}::text[], ${column('aufschlag_prozent')}::numeric[],
      ${column('aufrufe')}::bigint[], ${column('unbepreist')}::bigint[], ${column('teilbepreist')}::bigint[],
      ${column('kosten_eur')}::numeric[], ${column('verbranntes_geld_eur')}::numeric[], ${column('abrechenbar_eur')}::numeric[],
      ${column('betrag_eur')}::numeric[]) AS l (bezug, referenz, name, kostenstelle, debitorenkonto, aufschlag, aufrufe,
      unbepreist, teilbepreist, kosten, verbrannt, abrechenbar, betrag)
    LEFT JOIN (${agents}) a ON a.referenz = l.referenz
    LEFT JOIN (${models}) m ON m.referenz = l.referenz
    LEFT JOIN (${days}) t ON t.referenz = l.referenz
    WHERE wer.mandant_id = ${tx.mandant} AND wer.monat = ${first(monat)}::date`.execute(tx);
}
