import { forEveryMandant, type JobContext, onSchedule, type Selected } from '#jobs/index.ts';
import { hourStart } from '#kernel/zeitraum.ts';
import { beginPart, type Day, listDay, listPart } from '../owner/condense.ts';
import { listOrder, listOrderSoFar } from '../owner/list-order.ts';
import { TOTAL } from '../rollup.ts';

type Context = Pick<JobContext, 'owner' | 'log'>;
type SelectedDay = Selected & Day;

/**
 * Days before today that counting has changed since their lists were made, the latest of each Mandant first, then the one before of
 * each: nobody waits for another's many days. A day waits until it has
 * rested for two minutes; one that changes all the time, until it has waited for a quarter of an hour.
 */
const OPEN_DAYS = `
  SELECT t.mandant_id, m.zeitzone, t.tag FROM verbrauch_tagesstand t JOIN mandanten m USING (mandant_id)
  WHERE t.gelistet IS DISTINCT FROM t.geaendert AND t.tag < (now() AT TIME ZONE m.zeitzone)::date
    AND (t.geaendert_am < now() - interval '2 minutes'
      OR coalesce(t.offen_seit, '-infinity') < now() - interval '15 minutes')
  ORDER BY row_number() OVER (PARTITION BY t.mandant_id ORDER BY t.tag DESC), t.mandant_id`;

/** A filtered question about today reads so many calls at most, and those of the hour; fewer are read in no time. */
const MANY_CALLS = 25_000;
/** Minutes for which calls of an hour that is over may come late. */
const LATE_MINUTES = 10;

/** Mandanten with much today, whose parts were last made a while ago: late calls may make them of no use again and again. */
const busyDays = (many: number) => `
  SELECT t.mandant_id, m.zeitzone, t.tag FROM verbrauch_tagesstand t JOIN mandanten m USING (mandant_id)
  JOIN verbrauch_tag v ON v.mandant_id = t.mandant_id AND v.tag = t.tag
    AND v.dimension = ${TOTAL.dimension} AND v.merkmal_id = ${TOTAL.merkmal} AND v.aufrufe >= ${many}
  WHERE t.tag = (now() AT TIME ZONE m.zeitzone)::date
    AND coalesce(t.teile_am, '-infinity') < now() - interval '${LATE_MINUTES} minutes'`;

/** The calls of the day from what its parts hold to before $3. */
const CALLS_SINCE = `SELECT coalesce(sum(s.aufrufe), 0)::float8 AS aufrufe FROM verbrauch_tagesstand t
  JOIN verbrauch_stunde s ON s.mandant_id = t.mandant_id AND s.dimension = ${TOTAL.dimension} AND s.merkmal_id = ${TOTAL.merkmal}
  WHERE t.mandant_id = $1 AND t.tag = $2 AND s.stunde < $3 AND s.stunde >= $4
    AND (t.teile_stand = t.geaendert - t.danach_geaendert AND s.stunde < t.teile_bis) IS NOT TRUE`;

interface Busy {
  now: Temporal.Instant;
  /** Calls that are enough for a part. */
  many: number;
}

/** Whether a part was made. */
async function listBusyDay({ owner }: Context, day: Day, { now, many }: Busy): Promise<boolean> {
  const start = Temporal.PlainDate.from(day.tag).toZonedDateTime(day.zeitzone);
  const until = hourStart(now.subtract({ minutes: LATE_MINUTES }).toZonedDateTimeISO(day.zeitzone));
  const [davor = '', from] = [until, start].map((at) => at.toInstant().toString());
  const { rows } = await owner.query<{ aufrufe: number }>(CALLS_SINCE, [
    day.mandant_id,
    day.tag,
    davor,
    from,
  ]);
  if ((rows[0]?.aufrufe ?? 0) < many) return false;
  await owner.transaction((client) => beginPart(client, day, davor));
  await owner.transaction((client) => listPart(client, day));
  await owner.transaction((client) => listOrderSoFar(client, day));
  return true;
}

/** Makes the lists of all days that are open now; resolves with the number of days. One that fails does not keep the others. */
export async function condenseOpenDays({ owner, log }: Context): Promise<number> {
  const days = await forEveryMandant({ owner, log }, OPEN_DAYS, (_, day: SelectedDay) =>
    owner.transaction((client) => listDay(client, day)),
  );
  return days.length;
}

/** Makes lists of what today has so far, of Mandanten with much of it; resolves with the number of days. */
export async function listBusyDays(
  { owner, log }: Context,
  busy: Busy = { now: Temporal.Now.instant(), many: MANY_CALLS },
): Promise<number> {
  const made = await forEveryMandant({ owner, log }, busyDays(busy.many), (_, day: SelectedDay) =>
    listBusyDay({ owner, log }, day, busy),
  );
  return made.filter(Boolean).length;
}

/** Days before today that have lists, but none of the order as it is now; after an upgrade that is all of them, some at a time. */
const DAYS_TO_ORDER = `
  SELECT t.mandant_id, m.zeitzone, t.tag FROM verbrauch_tagesstand t JOIN mandanten m USING (mandant_id)
  WHERE t.gelistet = t.geaendert AND t.rang_gelistet IS DISTINCT FROM t.geaendert
    AND t.tag < (now() AT TIME ZONE m.zeitzone)::date
  ORDER BY row_number() OVER (PARTITION BY t.mandant_id ORDER BY t.tag DESC), t.mandant_id
  LIMIT 1000`;

/** Makes the lists by which many values are put in order; resolves with the number of days that were looked at. */
export async function listOrders({ owner, log }: Context, many?: number): Promise<number> {
  const days = await forEveryMandant({ owner, log }, DAYS_TO_ORDER, (_, day: SelectedDay) =>
    owner.transaction((client) => listOrder(client, day, many)),
  );
  return days.length;
}

/**
 * Makes the lists of two dimensions at once, of days that are over and of what a busy day has so far; and those by which the many values
 * of one are put in order.
 */
export const paareVerdichtenJob = (context: Context) =>
  onSchedule({
    id: 'verbrauch.paare_verdichten',
    cron: '* * * * *',
    atStart: true,
    run: async () => ({
      tage: await condenseOpenDays(context),
      teile: await listBusyDays(context),
      ranglisten: await listOrders(context),
    }),
  });
