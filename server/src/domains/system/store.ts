import type { RequestDatabase } from '#platform/database/index.ts';
import type { Backlog } from './rules.ts';

/** Throws when the database does not answer. */
export async function ping(db: RequestDatabase): Promise<void> {
  await db.transaction((client) => client.query('SELECT 1'));
}

/** Over all Mandanten, naming none. */
export async function readBacklog(db: RequestDatabase): Promise<Backlog> {
  const { rows } = await db.transaction((client) =>
    client.query<{ sekunden: number; unzaehlbar: number }>(
      'SELECT sekunden, unzaehlbar FROM zw_rueckstand()',
    ),
  );
  return { seconds: rows[0]?.sekunden ?? 0, uncountable: rows[0]?.unzaehlbar ?? 0 };
}
