import { notFound } from '#kernel/errors.ts';
import type { MandantId } from '#kernel/mandant-id.ts';
import type { RequestDatabase } from '#platform/database/index.ts';
import { type Agent, type AgentAenderung, toApi } from './rules.ts';
import { insertProject, readAgents, updateAgent } from './store.ts';

/** All agents of the Mandant, by key. */
export async function listAgents(db: RequestDatabase, mandant: MandantId): Promise<Agent[]> {
  const rows = await db.forMandant(mandant, readAgents);
  return rows.map(toApi);
}

/** Applies the fields given; events already counted stay with their project. 404 when there is no such agent. */
export function changeAgent(
  db: RequestDatabase,
  mandant: MandantId,
  agentId: string,
  change: AgentAenderung,
): Promise<Agent> {
  const { name = null, projekt = null } = change;
  return db.forMandant(mandant, async (tx) => {
    const agent = await updateAgent(tx, agentId, { name, projekt });
    if (!agent) throw notFound('Diesen Agenten');
    if (projekt !== null) await insertProject(tx, mandant, projekt);
    return toApi(agent);
  });
}
