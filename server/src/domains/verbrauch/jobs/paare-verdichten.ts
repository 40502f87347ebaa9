import type pg from 'pg';
import { type JobContext, onSchedule } from '#jobs/index.ts';
import type { OwnerDatabase } from '#platform/database/owner-database.ts';
import { CREATE_CALLS, FILL_CALLS, insertPair, PAIRS } from '../condense.ts';
import { dayAfter } from '../window.ts';

interface OpenDay {
  mandant_id: string;
  zeitzone: string;
  tag: string;
}

/**
 * Days before today that counting has changed since they were condensed, the oldest first. One that changes all the time
 * waits until it has rested for two minutes, or until a quarter of an hour after it was last condensed.
 */
const OPEN_DAYS = `
  SELECT t.mandant_id, m.zeitzone, t.tag FROM verbrauch_tagesstand t JOIN mandanten m USING (mandant_id)
  WHERE t.verdichtet IS DISTINCT FROM t.geaendert AND t.tag < (now() AT TIME ZONE m.zeitzone)::date
    AND (t.geaendert_am < now() - interval '2 minutes'
      OR coalesce(t.verdichtet_am, '-infinity') < now() - interval '15 minutes')
  ORDER BY t.tag`;

/**
 * Pair after pair within so much memory, the rest on disk. Every call is looked up in the values by text, which is fast only by
 * hashing; the planner cannot know how few values there are.
 */
const SETTINGS = "SET LOCAL work_mem = '32MB'; SET LOCAL enable_nestloop = off";

async function condense(client: pg.PoolClient, { mandant_id, zeitzone, tag }: OpenDay): Promise<void> {
  const von = Temporal.PlainDate.from(tag).toZonedDateTime(zeitzone);
  const bounds = [von, dayAfter(von)].map((at) => at.toInstant().toString());
  const day = [mandant_id, tag];
  await client.query(SETTINGS);
  // Read before the events: what is counted meanwhile leaves the day open.
  const { rows } = await client.query<{ geaendert: string }>(
    'SELECT geaendert FROM verbrauch_tagesstand WHERE mandant_id = $1 AND tag = $2',
    day,
  );
  await client.query(CREATE_CALLS);
  await client.query(FILL_CALLS, [mandant_id, ...bounds]);
  for (const pair of PAIRS) await client.query(insertPair(pair), day);
  await client.query(
    `UPDATE verbrauch_tagesstand SET verdichtet = $3, verdichtet_am = now() WHERE mandant_id = $1 AND tag = $2`,
    [...day, rows[0]?.geaendert],
  );
}

/** Condenses what is open now; resolves with the number of days. */
export async function condenseOpenDays(db: OwnerDatabase): Promise<number> {
  const { rows } = await db.query<OpenDay>(OPEN_DAYS);
  for (const day of rows) await db.transaction((client) => condense(client, day));
  return rows.length;
}

/** Makes the sums of two dimensions at once for days that are over. */
export const paareVerdichtenJob = ({ owner }: Pick<JobContext, 'owner'>) =>
  onSchedule({
    id: 'verbrauch.paare_verdichten',
    cron: '* * * * *',
    atStart: true,
    run: async () => ({ tage: await condenseOpenDays(owner) }),
  });
