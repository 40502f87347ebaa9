import { sql } from 'kysely';
import type { MandantTx } from '#platform/database/index.ts';

/** What counting has found so far in the events of the Mandant. */
export interface Found {
  named_agent: boolean;
  endkunde: boolean;
}

/**
 * Whether an event named its agent, and whether one named an Endkunde. Counting makes an agent or Endkunde at the first
 * event that names it, so their existence answers without touching the events.
 */
export async function readFound(tx: MandantTx): Promise<Found> {
  const { rows } = await sql<Found>`
    SELECT EXISTS (SELECT FROM agenten WHERE schluessel <> 'unbekannt') AS named_agent,
           EXISTS (SELECT FROM endkunden) AS endkunde`.execute(tx);
  return rows[0] ?? { named_agent: false, endkunde: false };
}
