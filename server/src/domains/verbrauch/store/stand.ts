/** How far a Mandant has been counted, and what else an answer says about it. */
import { sql } from 'kysely';
import type { MandantTx } from '#platform/database/index.ts';

/** Times ISO 8601 in UTC. */
export interface Stand {
  zeitzone: string;
  demo: boolean;
  daten_von: string | null;
  daten_bis: string | null;
  /** Just before the oldest batch was received that is not counted yet. */
  before_waiting: string | null;
  tag: string | null;
  usd_eur: string | null;
}

type AccountPart = Pick<Stand, 'zeitzone' | 'demo' | 'tag' | 'usd_eur'>;
type VolumePart = Pick<Stand, 'daten_von' | 'daten_bis' | 'before_waiting'>;

/**
 * What follows in the transaction sees one moment, so that a sum and its parts agree, and has the memory to add up some ten
 * thousands of values. Must come before anything is read.
 */
export const readOneSnapshot = (tx: MandantTx) =>
  Promise.all([
    sql`SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY`.execute(tx),
    sql`SET LOCAL work_mem = '32MB'`.execute(tx),
  ]);

/**
 * Must be read before the sums or in their snapshot: a batch counted in between is then in the sums, not in the claim. Two
 * statements, since a cluster keeps accounts and volumes apart.
 */
export async function readStand(tx: MandantTx): Promise<Stand> {
  const [account, volume] = await Promise.all([
    sql<AccountPart>`
      SELECT m.zeitzone, m.demo, k.tag, trim_scale(k.usd_eur)::text AS usd_eur
      FROM mandanten m LEFT JOIN (SELECT tag, usd_eur FROM wechselkurse ORDER BY tag DESC LIMIT 1) k ON true
      WHERE m.mandant_id = ${tx.mandant}`.execute(tx),
    sql<VolumePart>`
      SELECT z.daten_von, z.daten_bis, e.empfangen_am - interval '1 millisecond' AS before_waiting
      FROM (SELECT empfangen_am FROM eingang WHERE mandant_id = ${tx.mandant} ORDER BY eingang_id LIMIT 1) e
      FULL JOIN (SELECT daten_von, daten_bis FROM zaehlstaende WHERE mandant_id = ${tx.mandant}) z ON true`.execute(
      tx,
    ),
  ]);
  const [mandant] = account.rows;
  if (!mandant) throw new Error('the Mandant of the transaction does not exist');
  return { ...mandant, ...(volume.rows[0] ?? { daten_von: null, daten_bis: null, before_waiting: null }) };
}
