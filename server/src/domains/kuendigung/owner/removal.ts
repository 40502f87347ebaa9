/**
 * Removes everything of a Mandant, in three steps of which each may be interrupted and repeated:
 *   1. it is marked: from here on there is no way back, and the receipt is begun
 *   2. slice by slice, table by table, until a whole round finds nothing more
 *   3. in one transaction that keeps everybody else out: what came meanwhile, and the Mandant itself
 * Each slice is one transaction with its count in the receipt, so that the receipt is right after any crash.
 */
import type pg from 'pg';
import { v7 as uuidv7 } from 'uuid';
import { holdCounting } from '#domains/zaehlung/index.ts';
import { passedBefore } from '#jobs/index.ts';
import type { OwnerDatabase } from '#platform/database/owner-database.ts';
import { DELETION_AFTER_DAYS } from '../rules.ts';
import { type MandantTable, readMandantTables } from './tables.ts';

/** Whose time is up; $1 as `dueBefore` has it. */
export const IS_DUE = `status = 'gekündigt' AND gekuendigt_am <= $1`;

/** Who cancelled before is to be removed: the days have certainly passed, whatever the clock says. Null: nobody. */
export const dueBefore = (db: OwnerDatabase): Promise<Date | null> =>
  passedBefore(db, DELETION_AFTER_DAYS * 24);

/** Rows a transaction removes at most: short locks, and little to repeat after a crash. */
const SLICE = 10_000;

/** Stay until the end: others lock a row of them before they write anything of the Mandant. */
const LOCKED_BY_OTHERS = ['zaehlstaende', 'mandanten'];

/** False when it is not its time: the cancellation has been taken back, or everything is removed. */
async function begin(db: OwnerDatabase, mandant: string): Promise<boolean> {
  const before = await dueBefore(db);
  return db.transaction(async (client) => {
    const due = await client.query<{ gekuendigt_am: string }>(
      `UPDATE mandanten SET loeschung = 'begonnen' WHERE ${IS_DUE} AND mandant_id = $2 RETURNING gekuendigt_am`,
      [before, mandant],
    );
    if (!due.rows[0]) return false;
    await client.query(
      `INSERT INTO loeschbelege (beleg_id, mandant, gekuendigt_am, begonnen_am, zeilen)
       VALUES ($1, $2, $3, now(), '{}') ON CONFLICT (mandant) DO NOTHING`,
      [uuidv7(), mandant, due.rows[0].gekuendigt_am],
    );
    return true;
  });
}

/** Two that remove the same Mandant take turns. */
const holdReceipt = (client: pg.PoolClient, mandant: string) =>
  client.query('SELECT FROM loeschbelege WHERE mandant = $1 FOR UPDATE', [mandant]);

/** Removes up to `limit` rows (null: all) and adds them to the receipt; resolves with how many. */
async function removeRows(
  client: pg.PoolClient,
  mandant: string,
  { name, key }: MandantTable,
  limit: number | null,
): Promise<number> {
  const columns = key.join(', ');
  const removed = await client.query(
    `DELETE FROM ${name} WHERE mandant_id = $1
       AND (${columns}) IN (SELECT ${columns} FROM ${name} WHERE mandant_id = $1 LIMIT $2)`,
    [mandant, limit],
  );
  const count = removed.rowCount ?? 0;
  if (count > 0)
    await client.query(
      `UPDATE loeschbelege SET zeilen = zeilen
         || jsonb_build_object($2::text, coalesce((zeilen ->> $2::text)::bigint, 0) + $3::bigint) WHERE mandant = $1`,
      [mandant, name, count],
    );
  return count;
}

/** One round over the tables; whether it found anything. */
async function sweep(
  db: OwnerDatabase,
  mandant: string,
  tables: MandantTable[],
  slice: number,
): Promise<boolean> {
  let found = false;
  for (const table of tables) {
    for (let count = slice; count === slice; ) {
      count = await db.transaction(async (client) => {
        await holdReceipt(client, mandant);
        return removeRows(client, mandant, table, slice);
      });
      if (count > 0) found = true;
    }
  }
  return found;
}

/**
 * A writer of rows of this Mandant holds one of two locks: counting the row of `zaehlstaende`, the callback of the
 * payment provider that of `mandanten`. With both in hand nobody does; and who comes later finds the Mandant gone.
 */
function finish(db: OwnerDatabase, mandant: string, tables: MandantTable[]): Promise<void> {
  return db.transaction(async (client) => {
    const there = await client.query('SELECT FROM mandanten WHERE mandant_id = $1 FOR UPDATE', [mandant]);
    if (there.rowCount === 0) return;
    await holdReceipt(client, mandant);
    await holdCounting(client, mandant);
    for (const table of tables) await removeRows(client, mandant, table, null);
    await client.query('UPDATE loeschbelege SET beendet_am = now() WHERE mandant = $1', [mandant]);
  });
}

/** Removes everything of a Mandant whose time is up; false when it is not up. Goes on where an earlier attempt ended. */
export async function removeMandant(db: OwnerDatabase, mandant: string, slice = SLICE): Promise<boolean> {
  if (!(await begin(db, mandant))) return false;
  const tables = await readMandantTables(db);
  const swept = tables.filter(({ name }) => !LOCKED_BY_OTHERS.includes(name));
  while (await sweep(db, mandant, swept, slice));
  await finish(db, mandant, tables);
  return true;
}
