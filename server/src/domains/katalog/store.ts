/** SQL of the catalog. */
import type { MandantId } from '#kernel/mandant-id.ts';
import { exactText, type MandantTx } from '#platform/database/index.ts';
import type { AgentRow } from './rules.ts';

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

const selectAgents = (tx: MandantTx) =>
  tx
    .selectFrom('agenten')
    .select(COLUMNS)
    .select(({ ref }) => exactText(ref('budget_eur')).as('budget_eur'))
    .where('mandant_id', '=', tx.mandant);

/** All agents of the Mandant, by key. */
export const readAgents = (tx: MandantTx): Promise<AgentRow[]> =>
  selectAgents(tx).orderBy('schluessel').execute();

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
    .returning(({ ref }) => exactText(ref('budget_eur')).as('budget_eur'))
    .executeTakeFirst();
}

/** Creates the project unless it exists. */
export async function insertProject(tx: MandantTx, mandant: MandantId, schluessel: string): Promise<void> {
  await tx
    .insertInto('projekte')
    .values({ mandant_id: mandant, schluessel, name: schluessel })
    .onConflict((conflict) => conflict.columns(['mandant_id', 'schluessel']).doNothing())
    .execute();
}
