import { sql } from 'kysely';
import { toCount } from '#kernel/count.ts';
import type { RequestDatabase } from '#platform/database/index.ts';
import type { Backlog } from './rules.ts';

/** Throws when the database does not answer. */
export async function ping(db: RequestDatabase): Promise<void> {
  await db.transaction((client) => sql`SELECT`.execute(client));
}

/** How far `theirs` is ahead of the time between `before` and `after`, in the unit of the three. */
export const skewOf = (theirs: number, before: number, after: number): number =>
  theirs - Math.min(Math.max(theirs, before), after);

/** Over all Mandanten, naming none. */
export async function readBacklog(db: RequestDatabase): Promise<Backlog> {
  return db.transaction(async (client) => {
    const found = await client.ask('zw_rueckstand');
    const before = Date.now();
    const { rows } = await sql<{ sekunden: number }>`
      SELECT extract(epoch FROM clock_timestamp())::double precision AS sekunden`.execute(client);
    const after = Date.now();
    const [{ sekunden } = { sekunden: before / 1_000 }] = rows;
    return {
      seconds: found?.sekunden ?? 0,
      uncountable: toCount(found?.unzaehlbar ?? 0),
      skew: skewOf(sekunden, before / 1_000, after / 1_000),
    };
  });
}
