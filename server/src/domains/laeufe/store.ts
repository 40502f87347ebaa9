/** SQL of runs. Row-level security keeps every statement within the Mandant of the transaction. */
import { type RawBuilder, sql } from 'kysely';
import type { MandantTx } from '#platform/database/index.ts';
import type { Ereignis, LaufRow } from './rules.ts';

const RUN_COLUMNS = sql.raw(`lauf_id, agent, projekt, endkunde_ref, status, beginn, ende,
  (extract(epoch FROM ende - beginn) * 1000)::bigint AS dauer_ms,
  aufrufe, fehler, eingabe_token, ausgabe_token, cache_lese_token,
  trim_scale(kosten_eur)::text AS kosten_eur, trim_scale(kosten_usd)::text AS kosten_usd, unbepreist,
  trim_scale(verbranntes_geld_eur)::text AS verbranntes_geld_eur`);

const EVENT_COLUMNS =
  sql.raw(`ereignis_id, zeitpunkt, empfangen_am, anbieter, modell, agent, projekt, lauf_id,
  schritt_nr, eltern_span, eingabe_token, ausgabe_token, cache_lese_token, cache_schreib_token, denk_token,
  werkzeugaufrufe, latenz_ms, erste_zeichen_ms, status, fehlercode, geschaetzt,
  encode(prompt_fingerabdruck, 'hex') AS prompt_fingerabdruck,
  encode(werkzeug_fingerabdruck, 'hex') AS werkzeug_fingerabdruck,
  endkunde_ref, funktion_ref, benutzer_ref, quelle, zusatz,
  trim_scale(kosten_usd)::text AS kosten_usd, trim_scale(kosten_eur)::text AS kosten_eur,
  trim_scale(kurs_usd_eur)::text AS kurs_usd_eur, preis_quelle`);

export interface RunFilter {
  /** Key of the agent. */
  agent?: string | undefined;
  status?: string | undefined;
  /** Only runs with at least one failed call. */
  nurFehler?: boolean | undefined;
  limit: number;
}

/** Runs that meet the filter, those that ended last first. */
export async function readLatestRuns(tx: MandantTx, filter: RunFilter): Promise<LaufRow[]> {
  const conditions: RawBuilder<unknown>[] = [sql`true`];
  if (filter.agent !== undefined) conditions.push(sql`agent = ${filter.agent}`);
  if (filter.status !== undefined) conditions.push(sql`status = ${filter.status}`);
  if (filter.nurFehler) conditions.push(sql`fehler > 0`);
  const { rows } = await sql<LaufRow>`
    SELECT ${RUN_COLUMNS} FROM laeufe WHERE ${sql.join(conditions, sql` AND `)}
    ORDER BY ende DESC, lauf_id LIMIT ${filter.limit}`.execute(tx);
  return rows;
}

/** Null when the Mandant has no such run. */
export async function readRun(tx: MandantTx, laufId: string): Promise<LaufRow | null> {
  const { rows } = await sql<LaufRow>`SELECT ${RUN_COLUMNS} FROM laeufe WHERE lauf_id = ${laufId}`.execute(
    tx,
  );
  return rows[0] ?? null;
}

/** The first events of a run in the order of their steps. */
export async function readEventsOfRun(tx: MandantTx, run: LaufRow, limit: number): Promise<Ereignis[]> {
  // The bounds of the run are there for the planner: they leave out the months it does not touch.
  const { rows } = await sql<Ereignis>`
    SELECT ${EVENT_COLUMNS} FROM ereignisse
    WHERE lauf_id = ${run.lauf_id} AND zeitpunkt >= ${run.beginn}::timestamptz AND zeitpunkt <= ${run.ende}::timestamptz
    ORDER BY schritt_nr NULLS LAST, zeitpunkt, ereignis_id LIMIT ${limit}`.execute(tx);
  return rows;
}
