import { createMandantPrices, type PriceList } from '#domains/preise/index.ts';
import { forEveryMandant, type JobContext, onSchedule } from '#jobs/index.ts';
import { compareDay, type OpenDay } from '../owner/compare-day.ts';

type Context = Pick<JobContext, 'owner' | 'log'>;

/**
 * Days before today whose calls have changed since they were compared, of Mandanten whose price book has ever taken reported costs or
 * had own prices or discounts, the latest first. A day that changes now waits until it has rested; one whose events are kept no
 * longer stays as it was compared.
 */
const OPEN_DAYS = `
  SELECT t.mandant_id, m.zeitzone, t.tag FROM verbrauch_tagesstand t
  JOIN mandanten m USING (mandant_id)
  LEFT JOIN gemeldete_kosten_tage g ON g.mandant_id = t.mandant_id AND g.tag = t.tag
  WHERE g.preisbuch IS DISTINCT FROM t.geaendert AND t.tag < (now() AT TIME ZONE m.zeitzone)::date
    AND t.geaendert_am < now() - interval '2 minutes'
    AND t.tag::timestamp AT TIME ZONE m.zeitzone >= coalesce((SELECT ereignisse_ab FROM aufbewahrung), '-infinity')
    AND EXISTS (SELECT FROM preisbuecher p WHERE p.mandant_id = t.mandant_id AND ((p.inhalt->>'gemeldete_kosten')::boolean
      OR jsonb_array_length(p.inhalt->'preise') > 0 OR jsonb_array_length(p.inhalt->'rabatte') > 0))
  ORDER BY row_number() OVER (PARTITION BY t.mandant_id ORDER BY t.tag DESC), t.mandant_id`;

/** Compares what is open now; resolves with the number of days. One that fails does not keep the others. */
export async function compareOpenDays({ owner, log }: Context, list: PriceList): Promise<number> {
  const books = createMandantPrices(list);
  const days = await forEveryMandant({ owner, log }, OPEN_DAYS, (_, day: OpenDay) =>
    owner.transaction((client) => compareDay(client, day, books)),
  );
  return days.length;
}

/** Holds what calls reported as their cost, and what they cost by the price book, against the list, day by day. */
export const gemeldeteVergleichenJob = (context: Context, list: PriceList) =>
  onSchedule({
    id: 'abgleich.gemeldete_vergleichen',
    cron: '*/10 * * * *',
    atStart: true,
    run: async () => ({ tage: await compareOpenDays(context, list) }),
  });
