/** SQL of the catalog. */
import { type RawBuilder, sql } from 'kysely';
import type { MandantId } from '#kernel/mandant-id.ts';
import type { MandantTx } from '#platform/database/index.ts';
import type { AgentRow, Projekt } from './rules.ts';

const COLUMNS = [
  'agent_id',
  'schluessel',
  'name',
  'projekt',
  'eingriffsstufe',
  'ruhezeit',
  'erstellt_am',
  'letzter_aufruf_am',
] as const;

/** Amount and level of a budget as columns; both null where there is none. */
const BUDGET = [
  sql<string | null>`trim_scale(budget_eur)::text`.as('budget_eur'),
  sql<AgentRow['budget_bei_erreichen']>`
    CASE WHEN budget_eur IS NOT NULL THEN coalesce(budget_bei_erreichen, 'warnen') END`.as(
    'budget_bei_erreichen',
  ),
] as const;

const selectAgents = (tx: MandantTx) =>
  tx.selectFrom('agenten').select(COLUMNS).select(BUDGET).where('mandant_id', '=', tx.mandant);

/** Agents by key, at most this many: those behind `after`, but not those whose keys `except` selects (as `schluessel`). */
export function readAgents(
  tx: MandantTx,
  { limit, after, except }: { limit: number; after: string | null; except?: RawBuilder<unknown> },
): Promise<AgentRow[]> {
  let query = selectAgents(tx);
  if (after !== null) query = query.where('schluessel', '>', after);
  if (except)
    // Not as a join: without statistics the planner would add up what `except` reads anew for each agent.
    query = query.where(sql<boolean>`schluessel NOT IN (${except})`);
  return query.orderBy('schluessel').limit(limit).execute();
}

/** The agents with these keys, in no order. */
export const readAgentsOf = (tx: MandantTx, keys: string[]): Promise<AgentRow[]> =>
  selectAgents(tx).where('schluessel', 'in', keys).execute();

/** Undefined when the Mandant has no such agent. */
export const readAgent = (tx: MandantTx, agentId: string): Promise<AgentRow | undefined> =>
  selectAgents(tx).where('agent_id', '=', agentId).executeTakeFirst();

/** The agent as it is, held until the transaction ends. Undefined when the Mandant has no such agent. */
export const lockAgent = (tx: MandantTx, agentId: string): Promise<AgentRow | undefined> =>
  selectAgents(tx).where('agent_id', '=', agentId).forUpdate().executeTakeFirst();

/** Sets what is not null; a project once chosen is kept (`projekt_fest`). Undefined when there is no such agent. */
export function updateAgent(
  tx: MandantTx,
  agentId: string,
  { name, projekt }: { name: string | null; projekt: string | null },
): Promise<AgentRow | undefined> {
  return tx
    .updateTable('agenten')
    .set(({ ref }) => ({
      name: name ?? ref('name'),
      projekt: projekt ?? ref('projekt'),
      projekt_fest: projekt === null ? ref('projekt_fest') : true,
    }))
    .where('mandant_id', '=', tx.mandant)
    .where('agent_id', '=', agentId)
    .returning(COLUMNS)
    .returning(BUDGET)
    .executeTakeFirst();
}

/** Sets the given columns of an agent. */
export async function setAgent(
  tx: MandantTx,
  agentId: string,
  columns: Partial<Pick<AgentRow, 'budget_eur' | 'budget_bei_erreichen' | 'eingriffsstufe' | 'ruhezeit'>>,
): Promise<void> {
  await tx
    .updateTable('agenten')
    .set(columns)
    .where('mandant_id', '=', tx.mandant)
    .where('agent_id', '=', agentId)
    .execute();
}

const selectProjects = (tx: MandantTx) =>
  tx
    .selectFrom('projekte')
    .select(['projekt_id', 'schluessel', 'name'])
    .select(BUDGET)
    .where('mandant_id', '=', tx.mandant);

/** Projects by key, at most this many, behind `after`. */
export function readProjects(
  tx: MandantTx,
  { limit, after }: { limit: number; after: string | null },
): Promise<Projekt[]> {
  const query = selectProjects(tx).orderBy('schluessel').limit(limit);
  return (after === null ? query : query.where('schluessel', '>', after)).execute();
}

/** The project as it is, held until the transaction ends. Undefined when the Mandant has no such project. */
export const lockProject = (tx: MandantTx, projektId: string): Promise<Projekt | undefined> =>
  selectProjects(tx).where('projekt_id', '=', projektId).forUpdate().executeTakeFirst();

/** Sets the budget of a project. */
export async function setProjectBudget(
  tx: MandantTx,
  projektId: string,
  budget: Pick<Projekt, 'budget_eur' | 'budget_bei_erreichen'>,
): Promise<void> {
  await tx
    .updateTable('projekte')
    .set(budget)
    .where('mandant_id', '=', tx.mandant)
    .where('projekt_id', '=', projektId)
    .execute();
}

/** Creates the project unless it exists. */
export async function insertProject(tx: MandantTx, mandant: MandantId, schluessel: string): Promise<void> {
  await tx
    .insertInto('projekte')
    .values({ mandant_id: mandant, schluessel, name: schluessel })
    .onConflict((conflict) => conflict.columns(['mandant_id', 'schluessel']).doNothing())
    .execute();
}

const FIND = {
  agent: (tx: MandantTx, named: string) => sql<{ key: string }>`
    SELECT schluessel AS key FROM agenten
    WHERE mandant_id = ${tx.mandant} AND (agent_id::text = ${named} OR schluessel = ${named})
    ORDER BY schluessel = ${named} LIMIT 1`,
  projekt: (tx: MandantTx, named: string) => sql<{ key: string }>`
    SELECT schluessel AS key FROM projekte
    WHERE mandant_id = ${tx.mandant} AND (projekt_id::text = ${named} OR schluessel = ${named})
    ORDER BY schluessel = ${named} LIMIT 1`,
  endkunde: (tx: MandantTx, named: string) => sql<{ key: string }>`
    SELECT referenz AS key FROM endkunden
    WHERE mandant_id = ${tx.mandant} AND (endkunde_id::text = ${named} OR referenz = ${named})
    ORDER BY referenz = ${named} LIMIT 1`,
};

/** The key (of an end customer: the reference) of what has this id or key; undefined when the Mandant has nothing of the kind. */
export async function findKey(
  tx: MandantTx,
  kind: keyof typeof FIND,
  idOrKey: string,
): Promise<string | undefined> {
  const { rows } = await FIND[kind](tx, idOrKey).execute(tx);
  return rows[0]?.key;
}

/** The projects that people have chosen for these agents, by key. */
export async function readChosenProjects(tx: MandantTx, keys: string[]): Promise<Map<string, string>> {
  if (keys.length === 0) return new Map();
  const rows = await tx
    .selectFrom('agenten')
    .select(['schluessel', 'projekt'])
    .where('mandant_id', '=', tx.mandant)
    .where('projekt_fest', '=', true)
    .where('schluessel', 'in', keys)
    .execute();
  return new Map(rows.map(({ schluessel, projekt }) => [schluessel, projekt]));
}
