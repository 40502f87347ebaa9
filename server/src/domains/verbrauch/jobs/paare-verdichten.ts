import type pg from 'pg';
import { forEveryMandant, type JobContext, onSchedule, type Selected } from '#jobs/index.ts';
import { CREATE_CALLS, FILL_CALLS, insertPair, PAIRS } from '../condense.ts';
import { dayAfter } from '../window.ts';

type Context = Pick<JobContext, 'owner' | 'log'>;

interface OpenDay extends Selected {
  mandant_id: string;
  zeitzone: string;
  tag: string;
}

/**
 * Days before today that counting has changed since they were condensed, the latest of each Mandant first, then the one before of
 * each: nobody waits for another's many days. A day waits until it has
 * rested for two minutes; one that changes all the time, until it has waited for a quarter of an hour.
 */
const OPEN_DAYS = `
  SELECT t.mandant_id, m.zeitzone, t.tag FROM verbrauch_tagesstand t JOIN mandanten m USING (mandant_id)
  WHERE t.verdichtet IS DISTINCT FROM t.geaendert AND t.tag < (now() AT TIME ZONE m.zeitzone)::date
    AND (t.geaendert_am < now() - interval '2 minutes'
      OR coalesce(t.offen_seit, '-infinity') < now() - interval '15 minutes')
  ORDER BY row_number() OVER (PARTITION BY t.mandant_id ORDER BY t.tag DESC), t.mandant_id`;

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

/** Condenses what is open now; resolves with the number of days. One that fails does not keep the others. */
export async function condenseOpenDays({ owner, log }: Context): Promise<number> {
  const days = await forEveryMandant({ owner, log }, OPEN_DAYS, (_, day: OpenDay) =>
    owner.transaction((client) => condense(client, day)),
  );
  return days.length;
}

/** Makes the sums of two dimensions at once for days that are over. */
export const paareVerdichtenJob = (context: Context) =>
  onSchedule({
    id: 'verbrauch.paare_verdichten',
    cron: '* * * * *',
    atStart: true,
    run: async () => ({ tage: await condenseOpenDays(context) }),
  });
