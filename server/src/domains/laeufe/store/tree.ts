/** What runs were begun from which: their place in the tree, and what they cost together. */
import { sql } from 'kysely';
import { MAX_BAUM } from '#contracts';
import { exactText, type MandantTx } from '#platform/database/index.ts';

export interface BegunRun {
  lauf_id: string;
  agent: string;
  status: string;
  beginn: string;
  aufrufe: string | number;
  /** EUR, exact; null where no call has a known price. */
  kosten_eur: string | null;
}

/** A run with all that was begun from it. */
export interface TreeTotal {
  /** Without the run itself. */
  laeufe: string | number;
  aufrufe: string | number;
  unbepreist: string | number;
  kosten_eur: string | null;
}

/** Undefined when the Mandant has no such run. */
export const readParent = (
  tx: MandantTx,
  laufId: string,
): Promise<{ eltern_lauf: string | null } | undefined> =>
  tx
    .selectFrom('laeufe')
    .select('eltern_lauf')
    .where('mandant_id', '=', tx.mandant)
    .where('lauf_id', '=', laufId)
    .executeTakeFirst();

/** The first runs that were begun from it itself. */
export const readBegun = (tx: MandantTx, laufId: string, limit: number): Promise<BegunRun[]> =>
  tx
    .selectFrom('laeufe')
    .select(({ ref }) => [
      ...(['lauf_id', 'agent', 'status', 'beginn', 'aufrufe'] as const),
      exactText(ref('kosten_eur')).as('kosten_eur'),
    ])
    .where('mandant_id', '=', tx.mandant)
    .where('eltern_lauf', '=', laufId)
    .orderBy('beginn')
    .orderBy('lauf_id')
    .limit(limit)
    .execute();

/** The run and all below it; runs that name each other are there once. */
export async function readTreeTotal(tx: MandantTx, laufId: string): Promise<TreeTotal> {
  const { rows } = await sql<TreeTotal>`
    WITH RECURSIVE baum AS (
      SELECT ${laufId}::uuid AS lauf_id
      UNION
      SELECT l.lauf_id FROM baum b JOIN laeufe l ON l.mandant_id = ${tx.mandant} AND l.eltern_lauf = b.lauf_id)
    SELECT count(*) - 1 AS laeufe, sum(l.aufrufe)::bigint AS aufrufe, sum(l.unbepreist)::bigint AS unbepreist,
      trim_scale(sum(l.kosten_eur))::text AS kosten_eur
    FROM (SELECT lauf_id FROM baum LIMIT ${MAX_BAUM + 1}) AS g
    JOIN laeufe l ON l.mandant_id = ${tx.mandant} AND l.lauf_id = g.lauf_id`.execute(tx);
  return rows[0] as TreeTotal;
}
