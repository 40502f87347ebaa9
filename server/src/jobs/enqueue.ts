/** Jobs are put in by the transaction that causes them: they exist exactly when it commits, and are looked at then at once. */
import { sql } from 'kysely';
import type pg from 'pg';
import { v7 as uuidv7 } from 'uuid';
import type { MandantId } from '#kernel/mandant-id.ts';
import type { MandantTx } from '#platform/database/index.ts';
import type { JobKind } from './job.ts';

/** Channel of NOTIFY; its payload is the id of the job. */
export const CHANNEL = 'zw_auftraege';

/** Puts in a job of the Mandant the transaction is bound to; another one cannot be named. Throws `TypeError` for a payload that is none. */
export async function enqueue<P>(tx: MandantTx, kind: JobKind<P>, payload: P): Promise<void> {
  await sql`
    WITH neu AS (
      INSERT INTO auftraege (mandant_id, auftrag_id, job, fassung, nutzlast)
      VALUES (nullif(current_setting('zw.mandant', true), '')::uuid, ${uuidv7()}, ${kind.id}, ${kind.version},
        ${kind.payload.write(payload)}::jsonb))
    SELECT pg_notify(${CHANNEL}, ${kind.id})`.execute(tx);
}

const INSERT = `
  WITH neu AS (
    INSERT INTO auftraege (mandant_id, auftrag_id, job, fassung, nutzlast) VALUES ($1, $2, $3, $4, $5::jsonb))
  SELECT pg_notify('${CHANNEL}', $3)`;

/** The same in a transaction of the owner, who names the Mandant. */
export async function enqueueFor<P>(
  client: Pick<pg.ClientBase, 'query'>,
  mandant: MandantId,
  kind: JobKind<P>,
  payload: P,
): Promise<void> {
  await client.query(INSERT, [mandant, uuidv7(), kind.id, kind.version, kind.payload.write(payload)]);
}
