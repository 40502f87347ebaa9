import type { agenten, ResponseOf } from '#contracts';
import { type Akteur, changedFields, recordChange } from '#domains/protokoll/index.ts';
import { notFound } from '#kernel/errors.ts';
import type { MandantId } from '#kernel/mandant-id.ts';
import type { ServiceContext } from '#platform/context.ts';
import type { RequestDatabase } from '#platform/database/index.ts';
import { cursorOf, type PageQuery, pageOf } from '#platform/page.ts';
import { type Agent, type AgentAenderung, toApi } from './rules.ts';
import { insertProject, lockAgent, readAgents, updateAgent } from './store.ts';

const cursor = cursorOf('agenten', 'text');

/** A page of the Mandant's agents, by key. */
export async function listAgents(
  db: RequestDatabase,
  mandant: MandantId,
  { limit, nach }: PageQuery,
): Promise<ResponseOf<typeof agenten>> {
  const [after = null] = cursor.read(nach) ?? [];
  const found = await db.forMandant(mandant, (tx) => readAgents(tx, { limit: limit + 1, after }));
  const { rows, weiter } = pageOf(found, limit, cursor, ({ schluessel }) => [schluessel]);
  return { agenten: rows.map(toApi), weiter };
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
    if (!before || !agent) throw notFound({ de: 'Diesen Agenten', en: 'This agent' });
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
