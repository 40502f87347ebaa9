/** SQL of cases that nobody stopped, which a stop is compared with. */
import { sql } from 'kysely';
import type { MandantTx } from '#platform/database/index.ts';
import type { ExtentFigure } from './avoided.ts';
import type { BefundRow } from './store.ts';

/** This many of the latest findings of a type are looked through for cases that nobody stopped. */
const CASES = 500;

/**
 * How many calls findings of the same type came to, about runs that nobody has stopped, nor anything they are part of while they
 * went on or within an hour after; those that have been over for an hour. Interventions are read once, however many cases there are.
 */
export async function readUnstopped(
  tx: MandantTx,
  { befund_id, typ }: Pick<BefundRow, 'befund_id' | 'typ'>,
  figure: ExtentFigure,
  now: Date,
): Promise<number[]> {
  const { rows } = await sql<{ calls: string | number }>`
    WITH faelle AS MATERIALIZED (
      SELECT befund_id, objekt, agent, status, fenster_beginn, (werte->>${figure})::bigint AS calls,
        (werte->>'bis')::timestamptz + interval '1 hour' AS vorbei
      FROM befunde WHERE mandant_id = ${tx.mandant} AND typ = ${typ} AND objekt_art = 'lauf'
      ORDER BY befund_id DESC LIMIT ${CASES}),
    stopps AS MATERIALIZED (
      SELECT objekt_art, objekt, agent, beginn FROM eingriffe
      WHERE mandant_id = ${tx.mandant} AND NOT schatten AND stufe IN ('anhalten', 'sperren')
        AND beginn >= (SELECT min(fenster_beginn) FROM faelle)),
    weite AS MATERIALIZED (SELECT agent, beginn FROM stopps WHERE objekt_art <> 'lauf')
    SELECT f.calls FROM faelle f
    WHERE f.befund_id <> ${befund_id} AND f.status IN ('offen', 'erledigt') AND f.vorbei < ${now.toISOString()}::timestamptz
      AND f.objekt NOT IN (SELECT objekt FROM stopps WHERE objekt_art = 'lauf')
      AND NOT EXISTS (SELECT FROM weite w
        WHERE w.beginn BETWEEN f.fenster_beginn AND f.vorbei AND coalesce(w.agent = f.agent, true))`.execute(
    tx,
  );
  return rows.map(({ calls }) => Number(calls));
}
