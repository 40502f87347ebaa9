import { sql } from 'kysely';
import { toCount } from '#kernel/count.ts';
import type { RequestDatabase } from '#platform/database/index.ts';
import type { Backlog } from './rules.ts';

/** Throws when the database does not answer. */
export async function ping(db: RequestDatabase): Promise<void> {
  await db.transaction((client) => sql`SELECT`.execute(client));
}

/** Over all Mandanten, naming none. */
export async function readBacklog(db: RequestDatabase): Promise<Backlog> {
  const found = await db.transaction((client) => client.ask('zw_rueckstand'));
  return { seconds: found?.sekunden ?? 0, uncountable: toCount(found?.unzaehlbar ?? 0) };
}
