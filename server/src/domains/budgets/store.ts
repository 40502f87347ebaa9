/** SQL of budgets, for requests. */
import { sql } from 'kysely';
import type { MandantTx } from '#platform/database/index.ts';
import type { Art } from './spend.ts';

export interface ListedBudget {
  objekt_art: Art;
  objekt_id: string;
  schluessel: string;
  name: string;
  /** Exact decimal. */
  budget_eur: string;
}

/** Budgets of agents, then of projects, by key; at most so many, behind `after` (kind and key). */
export async function listBudgets(
  tx: MandantTx,
  { limit, after }: { limit: number; after: [string, string] | null },
): Promise<ListedBudget[]> {
  const behind = after ? sql`WHERE (objekt_art, schluessel) > (${after[0]}, ${after[1]})` : sql``;
  const { rows } = await sql<ListedBudget>`
    SELECT objekt_art, objekt_id, schluessel, name, trim_scale(budget_eur)::text AS budget_eur FROM (
      SELECT 'agent' COLLATE "C" AS objekt_art, agent_id AS objekt_id, schluessel, name, budget_eur
      FROM agenten WHERE mandant_id = ${tx.mandant} AND budget_eur IS NOT NULL
      UNION ALL SELECT 'projekt', projekt_id, schluessel, name, budget_eur
      FROM projekte WHERE mandant_id = ${tx.mandant} AND budget_eur IS NOT NULL) AS b
    ${behind} ORDER BY objekt_art, schluessel LIMIT ${limit}`.execute(tx);
  return rows;
}
