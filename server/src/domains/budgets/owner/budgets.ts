/** Who has which budgets, of any Mandanten. Runs as the owner. */
import type pg from 'pg';
import type { BeiErreichen, Static } from '#contracts';
import { type AskedValue, askForValues, keepValues } from '#domains/zaehlung/index.ts';
import type { MandantId } from '#kernel/mandant-id.ts';
import type { OwnerDatabase } from '#platform/database/owner-database.ts';
import type { Art } from '../spend.ts';

export interface BudgetRow {
  mandant_id: string;
  art: Art;
  /** Its key or reference. */
  objekt: string;
  /** Of an API key; null of anything else. */
  name: string | null;
  /** Exact decimal. */
  budget_eur: string;
  /** What it does by itself once it is spent. */
  bei_erreichen: Static<typeof BeiErreichen>;
}

const BUDGETS = `
  SELECT mandant_id, 'agent' AS art, schluessel AS objekt, NULL AS name, trim_scale(budget_eur)::text AS budget_eur,
    coalesce(budget_bei_erreichen, 'warnen') AS bei_erreichen
  FROM agenten WHERE mandant_id = ANY($1::uuid[]) AND budget_eur IS NOT NULL
  UNION ALL SELECT mandant_id, 'projekt', schluessel, NULL, trim_scale(budget_eur)::text, coalesce(budget_bei_erreichen, 'warnen')
  FROM projekte WHERE mandant_id = ANY($1::uuid[]) AND budget_eur IS NOT NULL
  UNION ALL SELECT mandant_id, objekt_art, objekt, NULL, trim_scale(budget_eur)::text, bei_erreichen
  FROM budgets WHERE mandant_id = ANY($1::uuid[])`;
// Not joined: keys are of another kind of table, and a cluster's server would end.
const KEY_NAMES = `SELECT schluessel_id::text AS id, name FROM schluessel
  WHERE mandant_id = ANY($1::uuid[]) AND schluessel_id::text = ANY($2::text[])`;

async function nameKeys(
  client: Pick<pg.ClientBase, 'query'>,
  mandanten: string[],
  budgets: BudgetRow[],
): Promise<void> {
  const ofKeys = budgets.filter(({ art }) => art === 'schluessel');
  if (ofKeys.length === 0) return;
  const ids = ofKeys.map(({ objekt }) => objekt);
  const { rows } = await client.query<{ id: string; name: string }>(KEY_NAMES, [mandanten, ids]);
  const names = new Map(rows.map(({ id, name }) => [id, name]));
  for (const budget of ofKeys) budget.name = names.get(budget.objekt) ?? null;
}

/** The budgets of these Mandanten, by Mandant; one without any is not in it. */
export async function readBudgets(
  client: Pick<pg.ClientBase, 'query'>,
  mandanten: string[],
): Promise<Map<string, BudgetRow[]>> {
  const { rows } = await client.query<BudgetRow>({ name: 'budgets', text: BUDGETS, values: [mandanten] });
  await nameKeys(client, mandanten, rows);
  return Map.groupBy(rows, ({ mandant_id }) => mandant_id);
}

const askedBy = (budgets: readonly BudgetRow[]): AskedValue[] =>
  budgets.flatMap(({ art, objekt }) => (art === 'schluessel' ? [] : [{ dimension: art, text: objekt }]));

/** Has what these budgets are of have running sums, and waits for them; resolves with whether all have some. */
export const keepBudgets = (
  owner: OwnerDatabase,
  mandant: string,
  budgets: readonly BudgetRow[],
): Promise<boolean> => keepValues(owner, mandant, askedBy(budgets));

/** The same within a transaction of others, which does not wait. */
export const askForBudgets = (
  client: Pick<pg.ClientBase, 'query'>,
  mandant: MandantId,
  budgets: readonly BudgetRow[],
): Promise<void> => askForValues(client, mandant, askedBy(budgets));

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
