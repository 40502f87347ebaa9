import type { PriceList } from '#domains/preise/index.ts';
import { forEveryMandant, type JobContext, onSchedule } from '#jobs/index.ts';
import { type OpenDay, readDay } from '../owner/read-day.ts';

type Context = Pick<JobContext, 'owner' | 'log'>;

/**
 * Days of the last five weeks whose calls or findings have changed since they were read, the latest of each Mandant first. A day
 * that changes all the time waits until it has rested for half a minute, or until five minutes after it was last read. Findings are
 * written down a moment after their time: one that came while its day was read is met once more.
 */
const OPEN_DAYS = `
  SELECT t.mandant_id, m.zeitzone, t.tag, t.geaendert
  FROM verbrauch_tagesstand t
  JOIN mandanten m USING (mandant_id)
  LEFT JOIN zwilling_tage z ON z.mandant_id = t.mandant_id AND z.tag = t.tag
  WHERE t.tag > current_date - 35
    AND (z.gelesen_am IS NULL OR z.gelesen_am < now() - interval '5 minutes'
      OR t.geaendert_am < now() - interval '30 seconds' AND z.gelesen_am < now() - interval '30 seconds')
    AND EXISTS (SELECT FROM befunde b WHERE b.mandant_id = t.mandant_id)
    AND (z.geaendert IS DISTINCT FROM t.geaendert OR EXISTS (
      SELECT FROM befunde b WHERE b.mandant_id = t.mandant_id
        AND b.geaendert_am > greatest(z.gelesen_am - interval '1 minute', t.tag::timestamp AT TIME ZONE m.zeitzone)
        AND b.geaendert_am < (t.tag + 2)::timestamp AT TIME ZONE m.zeitzone
        AND b.fenster_beginn < (t.tag + 1)::timestamp AT TIME ZONE m.zeitzone))
  ORDER BY row_number() OVER (PARTITION BY t.mandant_id ORDER BY t.tag DESC), t.mandant_id`;

/** Reads what is open now; resolves with the number of days. One that fails does not keep the others. */
export async function readOpenDays({ owner, log }: Context, prices: PriceList): Promise<number> {
  const days = await forEveryMandant({ owner, log }, OPEN_DAYS, (_, day: OpenDay) =>
    owner.transaction((client) => readDay(client, day, prices)),
  );
  return days.length;
}

/** Works out what the rules would have saved, day by day. */
export const tageLesenJob = (context: Context, prices: PriceList) =>
  onSchedule({
    id: 'zwilling.tage_lesen',
    cron: '* * * * *',
    atStart: true,
    run: async () => ({ tage: await readOpenDays(context, prices) }),
  });
