/**
 * Stores by INSERT what could not be copied. Of a failed COPY a cluster does not hand on the SQLSTATE of the worker: nobody could
 * tell a full disk from a value that does not fit, and set a good batch aside. Of a failed INSERT it does.
 */
import type pg from 'pg';
import { copyIn } from '#platform/database/copy/copy-in.ts';
import { COPY_EVENTS, COPY_IDS, EVENT_COLUMNS, ID_COLUMNS, idRows } from './copy-row.ts';
import type { Stretch } from './stretch.ts';

/** `internal_error`: what stands for the SQLSTATE that was lost. */
const LOST = 'XX000';
/** Rows of one statement; they may have 65,535 values. */
const AT_ONCE = 200;

/** Whether an error does not say what has gone wrong. */
export const saysNothing = (error: unknown): boolean => (error as { code?: string }).code === LOST;

/** Rows of `COPY … FROM STDIN` go into a table of the coordinator's own first, and from there as values into theirs. */
async function insertRows(
  client: pg.PoolClient,
  table: string,
  columns: readonly string[],
  copy: string,
  data: Buffer,
): Promise<void> {
  const spare = `${table}_einzeln`;
  const names = columns.join(', ');
  await client.query(
    `CREATE TEMP TABLE ${spare} ON COMMIT DROP AS SELECT ${names} FROM ${table} WHERE false WITH NO DATA`,
  );
  await copyIn(client, copy.replace(`COPY ${table}`, `COPY ${spare}`), [data]);
  await client.query(
    `DECLARE zeilen NO SCROLL CURSOR FOR SELECT ${columns.map((name) => `${name}::text`).join(', ')} FROM ${spare}`,
  );
  for (;;) {
    const { rows } = await client.query<string[]>({ text: `FETCH ${AT_ONCE} FROM zeilen`, rowMode: 'array' });
    if (rows.length === 0) break;
    const places = rows.map(
      (_, row) => `(${columns.map((_name, column) => `$${row * columns.length + column + 1}`).join(', ')})`,
    );
    await client.query(`INSERT INTO ${table} (${names}) VALUES ${places.join(', ')}`, rows.flat());
  }
  await client.query(`CLOSE zeilen; DROP TABLE ${spare}`);
}

/** Claims the ids and stores the events of a stretch that has not been copied. Throws what the database has against them. */
export async function insertInstead(client: pg.PoolClient, { parts, eventData }: Stretch): Promise<void> {
  const ids = parts.map((part) => ({ mandantBytes: part.mandantBytes, ids: part.ids.bytes }));
  await insertRows(client, 'ereignis_kennungen', ID_COLUMNS, COPY_IDS, idRows(ids));
  await insertRows(client, 'ereignisse', EVENT_COLUMNS, COPY_EVENTS, eventData.finish());
}
