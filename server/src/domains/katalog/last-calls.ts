/** When agents last called, taken from the marks of counting. Runs as the owner, inside the transaction that takes them. */
import type pg from 'pg';

/** Agents that called, and when each did last (ISO 8601 in UTC), by the same position. */
export interface Calls {
  mandant: string;
  agenten: string[];
  aufrufe_am: string[];
}

/** Records the last calls: never earlier than is known. */
export async function recordLastCalls(client: pg.PoolClient, calls: Calls[]): Promise<void> {
  await client.query({
    name: 'letzte_aufrufe',
    text: `UPDATE agenten a SET letzter_aufruf_am = n.aufruf_am
      FROM (SELECT mandant, agent, max(aufruf_am) AS aufruf_am
        FROM unnest($1::uuid[], $2::text[], $3::timestamptz[]) AS u (mandant, agent, aufruf_am) GROUP BY mandant, agent) AS n
      WHERE a.mandant_id = n.mandant AND a.schluessel = n.agent
        AND (a.letzter_aufruf_am IS NULL OR a.letzter_aufruf_am < n.aufruf_am)`,
    values: [
      calls.flatMap(({ mandant, agenten }) => agenten.map(() => mandant)),
      calls.flatMap(({ agenten }) => agenten),
      calls.flatMap(({ aufrufe_am: am }) => am),
    ],
  });
}
