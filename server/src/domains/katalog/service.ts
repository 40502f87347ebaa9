import type { agenten, projekte, ResponseOf } from '#contracts';
import { type Akteur, changedFields, recordChange } from '#domains/protokoll/index.ts';
import { minutesOf } from '#kernel/duration.ts';
import { InvalidInput } from '#kernel/errors.ts';
import type { MandantId } from '#kernel/mandant-id.ts';
import type { ServiceContext } from '#platform/context.ts';
import type { RequestDatabase } from '#platform/database/index.ts';
import { cursorOf, type PageQuery, pageOf } from '#platform/page.ts';
import { agentMissing } from './errors.ts';
import { type Agent, type AgentAenderung, type AgentRow, type SchutzEingabe, toApi } from './rules.ts';
import { insertProject, lockAgent, readAgents, readProjects, setAgent, updateAgent } from './store.ts';

const cursor = cursorOf('agenten', 'text');
const projectCursor = cursorOf('projekte', 'text');

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
    if (!before || !agent) throw agentMissing();
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

/** A page of the Mandant's projects, by key. */
export async function listProjects(
  db: RequestDatabase,
  mandant: MandantId,
  { limit, nach }: PageQuery,
): Promise<ResponseOf<typeof projekte>> {
  const [after = null] = projectCursor.read(nach) ?? [];
  const found = await db.forMandant(mandant, (tx) => readProjects(tx, { limit: limit + 1, after }));
  const { rows, weiter } = pageOf(found, limit, projectCursor, ({ schluessel }) => [schluessel]);
  return { projekte: rows, weiter };
}

function requireDuration(ruhezeit: string | null | undefined): void {
  if (ruhezeit === null || ruhezeit === undefined || minutesOf(ruhezeit) !== null) return;
  throw new InvalidInput({
    path: ['ruhezeit'],
    reason: {
      de: 'muss eine Dauer wie 15m, 24h oder 7d sein, höchstens 366 Tage',
      en: 'must be a duration like 15m, 24h or 7d, 366 days at most',
    },
    input: ruhezeit,
  });
}

/** Sets the protection of an agent; a field left out stays, null clears. 404 when there is no such agent, 422 for no duration. */
export function protectAgent(
  { db, clock }: Pick<ServiceContext, 'db' | 'clock'>,
  mandant: MandantId,
  akteur: Akteur,
  agentId: string,
  { standard_eingriffsstufe: eingriffsstufe, ruhezeit }: SchutzEingabe,
): Promise<Agent> {
  requireDuration(ruhezeit);
  return db.forMandant(mandant, async (tx) => {
    const before = await lockAgent(tx, agentId);
    if (!before) throw agentMissing();
    const told = (row: Pick<AgentRow, 'eingriffsstufe' | 'ruhezeit'>) => ({
      eingriffsstufe: row.eingriffsstufe,
      ruhezeit: row.ruhezeit,
    });
    const columns = {
      eingriffsstufe: eingriffsstufe === undefined ? before.eingriffsstufe : eingriffsstufe,
      ruhezeit: ruhezeit === undefined ? before.ruhezeit : ruhezeit,
    };
    const changed = changedFields(told(before), columns);
    if (!changed) return toApi(before);
    await setAgent(tx, agentId, columns);
    await recordChange(tx, mandant, clock.now(), {
      akteur,
      aktion: 'agent.schutz_gesetzt',
      objekt: { art: 'agent', id: agentId, name: before.schluessel },
      ...changed,
    });
    return toApi({ ...before, ...columns });
  });
}
