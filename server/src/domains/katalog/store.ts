/** SQL of the catalog. Row-level security keeps every statement within the Mandant of the transaction. */
import { sql } from 'kysely';
import type { MandantId } from '#kernel/mandant-id.ts';
import type { MandantTx } from '#platform/database/index.ts';
import type { AgentRow } from './rules.ts';

const COLUMNS = sql.raw(`agent_id, schluessel, name, projekt, trim_scale(budget_eur)::text AS budget_eur,
  eingriffsstufe, ruhezeit, erstellt_am, letzter_aufruf_am`);

/** All agents of the Mandant, by key. */
export async function readAgents(tx: MandantTx): Promise<AgentRow[]> {
  const { rows } = await sql<AgentRow>`SELECT ${COLUMNS} FROM agenten ORDER BY schluessel`.execute(tx);
  return rows;
}

/** Null when the Mandant has no such agent. */
export async function readAgent(tx: MandantTx, agentId: string): Promise<AgentRow | null> {
  const { rows } = await sql<AgentRow>`SELECT ${COLUMNS} FROM agenten WHERE agent_id = ${agentId}`.execute(
    tx,
  );
  return rows[0] ?? null;
}

/** The agent as it is, held until the transaction ends. Null when the Mandant has no such agent. */
export async function lockAgent(tx: MandantTx, agentId: string): Promise<AgentRow | null> {
  const { rows } = await sql<AgentRow>`
    SELECT ${COLUMNS} FROM agenten WHERE agent_id = ${agentId} FOR UPDATE`.execute(tx);
  return rows[0] ?? null;
}

/** Sets what is not null; a project once chosen is kept (`projekt_fest`). Null when there is no such agent. */
export async function updateAgent(
  tx: MandantTx,
  agentId: string,
  change: { name: string | null; projekt: string | null },
): Promise<AgentRow | null> {
  const { rows } = await sql<AgentRow>`
    UPDATE agenten SET
      name = coalesce(${change.name}::text, name),
      projekt = coalesce(${change.projekt}::text, projekt),
      projekt_fest = projekt_fest OR ${change.projekt}::text IS NOT NULL
    WHERE agent_id = ${agentId} RETURNING ${COLUMNS}`.execute(tx);
  return rows[0] ?? null;
}

/** Creates the project unless it exists. */
export async function insertProject(tx: MandantTx, mandant: MandantId, schluessel: string): Promise<void> {
  await sql`
    INSERT INTO projekte (mandant_id, schluessel, name) VALUES (${mandant}, ${schluessel}, ${schluessel})
    ON CONFLICT (mandant_id, schluessel) DO NOTHING`.execute(tx);
}
