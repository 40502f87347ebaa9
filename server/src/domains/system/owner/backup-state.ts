/** When the database was last backed up, as the command line notes it. Runs as the owner. */
import type { OwnerDatabase } from '#platform/database/owner-database.ts';

const MADE = `INSERT INTO sicherungsstand (gelungen_am, umfang) VALUES (clock_timestamp(), $1)
  ON CONFLICT (nummer) DO UPDATE SET gelungen_am = excluded.gelungen_am, umfang = excluded.umfang, fehler_am = NULL`;
const FAILED = `INSERT INTO sicherungsstand AS s (fehler_am) VALUES (clock_timestamp())
  ON CONFLICT (nummer) DO UPDATE SET fehler_am = coalesce(s.fehler_am, excluded.fehler_am)`;

/** Notes that a backup of this size (bytes) is whole, or (null) that a try failed; nothing in a database of a release before. */
export async function noteBackup(owner: OwnerDatabase, bytes: number | null): Promise<void> {
  const { rowCount } = await owner.query(
    `SELECT FROM to_regclass('sicherungsstand') AS t WHERE t IS NOT NULL`,
  );
  if (rowCount === 0) return;
  await (bytes === null ? owner.query(FAILED) : owner.query(MADE, [bytes]));
}
