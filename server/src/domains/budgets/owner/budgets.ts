/** Who has which budgets, of any Mandanten. Runs as the owner. */
import type pg from 'pg';
import type { Art } from '../spend.ts';

export interface BudgetRow {
  mandant_id: string;
  art: Art;
  /** Key of the agent or project. */
  objekt: string;
  /** Exact decimal. */
  budget_eur: string;
}

const BUDGETS = `
  SELECT mandant_id, 'agent' AS art, schluessel AS objekt, trim_scale(budget_eur)::text AS budget_eur
  FROM agenten WHERE mandant_id = ANY($1::uuid[]) AND budget_eur IS NOT NULL
  UNION ALL SELECT mandant_id, 'projekt', schluessel, trim_scale(budget_eur)::text
  FROM projekte WHERE mandant_id = ANY($1::uuid[]) AND budget_eur IS NOT NULL`;

/** The budgets of these Mandanten, by Mandant; one without any is not in it. */
export async function readBudgets(
  client: Pick<pg.ClientBase, 'query'>,
  mandanten: string[],
): Promise<Map<string, BudgetRow[]>> {
  const { rows } = await client.query<BudgetRow>({ name: 'budgets', text: BUDGETS, values: [mandanten] });
  return Map.groupBy(rows, ({ mandant_id }) => mandant_id);
}

/** Time zones of Mandanten (IANA names). */
export async function readZones(
  client: Pick<pg.ClientBase, 'query'>,
  mandanten: string[],
): Promise<Map<string, string>> {
  const { rows } = await client.query<{ mandant_id: string; zeitzone: string }>({
    name: 'budgets_zeitzonen',
    text: 'SELECT mandant_id, zeitzone FROM mandanten WHERE mandant_id = ANY($1::uuid[])',
    values: [mandanten],
  });
  return new Map(rows.map(({ mandant_id, zeitzone }) => [mandant_id, zeitzone]));
}
