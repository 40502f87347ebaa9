/** SQL of budgets, for requests. */
import { type RawBuilder, sql } from 'kysely';
import type { BeiErreichen, Static } from '#contracts';
import { readKeyNames } from '#domains/schluessel/index.ts';
import { exactText, type MandantTx } from '#platform/database/index.ts';
import type { Art } from './spend.ts';

/** What may be said of a budget; amounts in EUR as exact decimals. */
export interface BudgetWerte {
  budget_eur: string;
  bei_erreichen: Static<typeof BeiErreichen>;
}

export interface ListedBudget extends BudgetWerte {
  objekt_art: Art;
  objekt_id: string;
  schluessel: string;
  name: string;
}

/** API keys are of another kind of table: joined with budgets they would end the server of a cluster. */
async function withNamesOfKeys(tx: MandantTx, budgets: ListedBudget[]): Promise<ListedBudget[]> {
  const keys = budgets
    .filter(({ objekt_art }) => objekt_art === 'schluessel')
    .map(({ objekt_id }) => objekt_id);
  if (keys.length === 0) return budgets;
  const found = await readKeyNames(tx, keys);
  const names = new Map(found.map(({ schluessel_id, name }) => [schluessel_id, name]));
  return budgets.map((budget) =>
    budget.objekt_art === 'schluessel'
      ? { ...budget, name: names.get(budget.objekt_id) ?? budget.name }
      : budget,
  );
}

/** Those that meet a condition, by kind and key. */
async function selectBudgets(
  tx: MandantTx,
  condition: RawBuilder<unknown>,
  limit: number,
): Promise<ListedBudget[]> {
  const { rows } = await sql<ListedBudget>`
    SELECT objekt_art, objekt_id, schluessel, name, trim_scale(budget_eur)::text AS budget_eur, bei_erreichen FROM (
      SELECT 'agent' COLLATE "C" AS objekt_art, agent_id::text AS objekt_id, schluessel, name, budget_eur,
        coalesce(budget_bei_erreichen, 'warnen') AS bei_erreichen
      FROM agenten WHERE mandant_id = ${tx.mandant} AND budget_eur IS NOT NULL
      UNION ALL SELECT 'projekt', projekt_id::text, schluessel, name, budget_eur, coalesce(budget_bei_erreichen, 'warnen')
      FROM projekte WHERE mandant_id = ${tx.mandant} AND budget_eur IS NOT NULL
      UNION ALL SELECT b.objekt_art, b.objekt, b.objekt, coalesce(e.name, b.objekt), b.budget_eur, b.bei_erreichen
      FROM budgets b LEFT JOIN endkunden e
        ON e.mandant_id = ${tx.mandant} AND e.referenz = b.objekt AND b.objekt_art = 'endkunde'
      WHERE b.mandant_id = ${tx.mandant}) AS b
    ${condition} ORDER BY objekt_art, schluessel LIMIT ${limit}`.execute(tx);
  return withNamesOfKeys(tx, rows);
}

/** Budgets by kind and key; at most this many, behind `after` (kind and key). */
export const listBudgets = (
  tx: MandantTx,
  { limit, after }: { limit: number; after: [string, string] | null },
): Promise<ListedBudget[]> =>
  selectBudgets(tx, after ? sql`WHERE (objekt_art, schluessel) > (${after[0]}, ${after[1]})` : sql``, limit);

/** The budget of an object by its kind and its key or reference; undefined where it has none. */
export async function findBudget(tx: MandantTx, art: Art, objekt: string): Promise<ListedBudget | undefined> {
  const [found] = await selectBudgets(tx, sql`WHERE objekt_art = ${art} AND schluessel = ${objekt}`, 1);
  return found;
}

const named = (tx: MandantTx, art: Art, objekt: string) =>
  tx
    .selectFrom('budgets')
    .where('mandant_id', '=', tx.mandant)
    .where('objekt_art', '=', art)
    .where('objekt', '=', objekt);

/** The budget of what has no table of its own, held until the transaction ends. Undefined where it has none. */
export async function lockBudget(tx: MandantTx, art: Art, objekt: string): Promise<BudgetWerte | undefined> {
  const row = await named(tx, art, objekt)
    .select('bei_erreichen')
    .select(({ ref }) => exactText(ref('budget_eur')).as('budget_eur'))
    .forUpdate()
    .executeTakeFirst();
  return row as BudgetWerte | undefined;
}

/** How many there are but for those of agents. */
export async function countBudgets(tx: MandantTx): Promise<number> {
  const { rows } = await sql<{ count: number }>`SELECT (
      (SELECT count(*) FROM budgets WHERE mandant_id = ${tx.mandant})
      + (SELECT count(*) FROM projekte WHERE mandant_id = ${tx.mandant} AND budget_eur IS NOT NULL))::int AS count`.execute(
    tx,
  );
  return rows[0]?.count ?? 0;
}

/** Sets it. */
export async function putBudget(
  tx: MandantTx,
  art: Art,
  objekt: string,
  { budget_eur, bei_erreichen }: BudgetWerte,
): Promise<void> {
  await tx
    .insertInto('budgets')
    .values({ mandant_id: tx.mandant, objekt_art: art, objekt, budget_eur, bei_erreichen })
    .onConflict((conflict) =>
      conflict.columns(['mandant_id', 'objekt_art', 'objekt']).doUpdateSet({ budget_eur, bei_erreichen }),
    )
    .execute();
}

/** Removes it. */
export async function deleteBudget(tx: MandantTx, art: Art, objekt: string): Promise<void> {
  await tx
    .deleteFrom('budgets')
    .where('mandant_id', '=', tx.mandant)
    .where('objekt_art', '=', art)
    .where('objekt', '=', objekt)
    .execute();
}

/** The name of an end customer; undefined where the Mandant has none of this reference, or it has no name. */
export async function nameOfEndkunde(tx: MandantTx, referenz: string): Promise<string | undefined> {
  const row = await tx
    .selectFrom('endkunden')
    .select('name')
    .where('mandant_id', '=', tx.mandant)
    .where('referenz', '=', referenz)
    .executeTakeFirst();
  return row?.name ?? undefined;
}

/** The name of an API key, blocked or not; undefined where the Mandant has none of this id. */
export async function nameOfKey(tx: MandantTx, id: string): Promise<string | undefined> {
  const { rows } = await sql<{ name: string }>`
    SELECT name FROM schluessel WHERE mandant_id = ${tx.mandant} AND schluessel_id::text = ${id}`.execute(tx);
  return rows[0]?.name;
}

/** When the first call of all was made, by its own time; null where there is none. */
export async function readFirstCall(tx: MandantTx): Promise<string | null> {
  const row = await tx
    .selectFrom('zaehlstaende')
    .select('daten_von')
    .where('mandant_id', '=', tx.mandant)
    .executeTakeFirst();
  return row?.daten_von ?? null;
}
