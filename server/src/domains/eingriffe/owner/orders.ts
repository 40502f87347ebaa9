/** What findings have ordered so far, and how long it holds. Runs as the owner, under the lock of findings. */
import type pg from 'pg';
import type { Stufe } from '#contracts';
import type { MandantId } from '#kernel/mandant-id.ts';
import { notifyAsOwner } from './insert.ts';

/** The latest order of a finding. */
export interface LatestOrder {
  befund_id: string;
  eingriff_id: string;
  stufe: Stufe;
  schatten: boolean;
  bis: string | null;
  aufgehoben_am: string | null;
  aufgehoben_grund: string | null;
  gnade_bis: string | null;
  /** Whether the run has made twice as many calls as when it was lifted, or they have cost twice as much. */
  verdoppelt: boolean | null;
}

const LATEST = `SELECT DISTINCT ON (e.befund_id) e.befund_id, e.eingriff_id, e.stufe, e.schatten, e.bis, e.aufgehoben_am,
    e.aufgehoben_grund, e.gnade_bis,
    (SELECT l.aufrufe >= 2 * e.gnade_aufrufe OR (e.gnade_kosten_eur > 0 AND l.kosten_eur >= 2 * e.gnade_kosten_eur) FROM laeufe l
      WHERE l.mandant_id = $1 AND l.lauf_id = CASE WHEN e.objekt_art = 'lauf' AND e.gnade_aufrufe IS NOT NULL THEN e.objekt::uuid END)
      AS verdoppelt
  FROM eingriffe e WHERE e.mandant_id = $1 AND e.befund_id = ANY ($2::uuid[]) ORDER BY e.befund_id, e.eingriff_id DESC`;

/** The latest order of each of these findings; those that have ordered nothing are left out. */
export async function readLatestOrders(
  client: Pick<pg.ClientBase, 'query'>,
  mandant: MandantId,
  befunde: string[],
): Promise<Map<string, LatestOrder>> {
  if (befunde.length === 0) return new Map();
  const { rows } = await client.query<LatestOrder>(LATEST, [mandant, befunde]);
  return new Map(rows.map((row) => [row.befund_id, row]));
}

/** Has an order hold until then (null: until it is lifted); processes hear of it when the transaction commits. */
export async function extendOrder(
  client: Pick<pg.ClientBase, 'query'>,
  mandant: MandantId,
  eingriff: string,
  bis: Date | null,
): Promise<void> {
  await client.query('UPDATE eingriffe SET bis = $3 WHERE mandant_id = $1 AND eingriff_id = $2', [
    mandant,
    eingriff,
    bis,
  ]);
  await notifyAsOwner(client, mandant);
}
