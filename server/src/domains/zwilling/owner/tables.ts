/** Where the calls of a day are gathered: tables of the connection, emptied by the end of its transaction. */
import type pg from 'pg';

const CREATE = `
  SET LOCAL client_min_messages = warning;
  SET LOCAL jit = off;
  SET LOCAL work_mem = '32MB';
  CREATE TEMPORARY TABLE IF NOT EXISTS zwilling_befunde (
    befund_id uuid NOT NULL,
    typ       text COLLATE "C" NOT NULL,
    regel_id  uuid,
    objekt    text COLLATE "C" NOT NULL,
    lauf_id   uuid,
    beginn    timestamptz NOT NULL,
    bis       timestamptz
  ) ON COMMIT DELETE ROWS;
  CREATE TEMPORARY TABLE IF NOT EXISTS zwilling_aufrufe (
    ereignis_id uuid NOT NULL,
    zeitpunkt   timestamptz NOT NULL,
    -- Place of the cause; the lowest has the call.
    ursache     smallint NOT NULL,
    befund_id   uuid NOT NULL,
    beginn      timestamptz NOT NULL,
    agent       text COLLATE "C" NOT NULL,
    kosten_eur  numeric,
    -- What could be saved of it; null when unknown.
    eur         numeric
  ) ON COMMIT DELETE ROWS`;

/** Makes them unless the connection has them, empty. Inside a transaction. */
export async function prepareTables(client: Pick<pg.ClientBase, 'query'>): Promise<void> {
  await client.query(CREATE);
  await client.query('TRUNCATE pg_temp.zwilling_befunde, pg_temp.zwilling_aufrufe');
}
