import { type Akteur, changedFields, recordChange } from '#domains/protokoll/index.ts';
import { notFound } from '#kernel/errors.ts';
import type { MandantId } from '#kernel/mandant-id.ts';
import type { ServiceContext } from '#platform/context.ts';
import type { RequestDatabase } from '#platform/database/index.ts';
import { type Agent, type AgentAenderung, toApi } from './rules.ts';
import { insertProject, lockAgent, readAgents, updateAgent } from './store.ts';

/** All agents of the Mandant, by key. */
export async function listAgents(db: RequestDatabase, mandant: MandantId): Promise<Agent[]> {
  const rows = await db.forMandant(mandant, readAgents);
  return rows.map(toApi);
}

/** Applies the fields given; events already counted stay with their project. 404 when there is no such agent. */
export function changeAgent(
  { db, clock }: ServiceContext,
  mandant: MandantId,
  akteur: Akteur,
  agentId: string,
  change: AgentAenderung,
): Promise<Agent> {
  const { name = null, projekt = null } = change;
  return db.forMandant(mandant, async (tx) => {
    // The project first, as in counting, which adds projects and agents too: neither waits for the other in a circle.
    if (projekt !== null) await insertProject(tx, mandant, projekt);
    const before = await lockAgent(tx, agentId);
    const agent = await updateAgent(tx, agentId, { name, projekt });
    if (!before || !agent) throw notFound('Diesen Agenten');
    const fieldsOf = (row: typeof agent) => ({ name: row.name, projekt: row.projekt });
    const changed = changedFields(fieldsOf(before), fieldsOf(agent));
    if (changed)
      await recordChange(tx, mandant, clock.now(), {
        akteur,
        aktion: 'agent.geaendert',
        objekt: { art: 'agent', id: agent.agent_id, name: agent.schluessel },
        ...changed,
      });
    return toApi(agent);
  });
}
