import { areLimitsBinding, packageInForce } from '#domains/mandant/index.ts';
import { forEveryMandant, type JobContext, onSchedule, passedBefore } from '#jobs/index.ts';
import {
  forgetIds,
  type Kept,
  readKept,
  readPackages,
  removeMonth,
  removeOlder,
  setAcceptedFrom,
  setForgottenBefore,
  setRemovedBefore,
  whyNeeded,
} from '../owner/kept.ts';
import { acceptFrom, daysKept, removableBefore } from '../rules.ts';

type Context = Pick<JobContext, 'owner' | 'config' | 'log'>;

const MANDANTEN = 'SELECT mandant_id FROM mandanten ORDER BY mandant_id';
const LOCK_NOT_AVAILABLE = '55P03';

const isBefore = (first: string, second: string | null): boolean =>
  second !== null && Date.parse(first) < Date.parse(second);

/** From when on events are accepted now; noted where that is another time than before. */
async function refuseOld({ owner, config }: Context, kept: Kept): Promise<string | null> {
  // What is refused once and wrongly is lost to who sends it: the time must be certain.
  const passed = await passedBefore(owner, 0);
  if (passed === null) return kept.annahme_ab;
  const packages = (await readPackages(owner)).map((stand) =>
    areLimitsBinding(config, stand) ? packageInForce(stand, passed).grenzen.aufbewahrung_tage : null,
  );
  const from = acceptFrom(daysKept(config.retention, packages), kept.ereignisse_ab, passed);
  await setAcceptedFrom(owner, from);
  return from;
}

/** Up to when events are to be removed: what was noted, or further where nothing needs them any more. */
async function noteRemovable({ owner, log }: Context, before: string, kept: Kept): Promise<string | null> {
  if (kept.ereignisse_ab !== null && !isBefore(kept.ereignisse_ab, before)) return kept.ereignisse_ab;
  const reason = await whyNeeded(owner, before);
  if (reason !== null) {
    log.info({ before, reason }, 'events are kept for the time being');
    return kept.ereignisse_ab;
  }
  await setRemovedBefore(owner, before);
  return before;
}

/** Removes the months one by one; those that are in use have to wait for the next time. */
async function removeMonths({ owner, log }: Context, before: string): Promise<number> {
  let removed = 0;
  try {
    for (;;) {
      const month = await removeMonth(owner, before);
      if (month === null) return removed;
      log.info({ month }, 'a month of events is removed');
      removed += 1;
    }
  } catch (error) {
    if ((error as { code?: string }).code !== LOCK_NOT_AVAILABLE) throw error;
    log.info({ err: error }, 'a month of events is in use and not removed yet');
    return removed;
  }
}

const total = (counts: number[]): number => counts.reduce((sum, count) => sum + count, 0);

/** Removes what is kept no longer. Safe to repeat, and to be cut off between any two statements. */
async function removeWhatIsOld(
  context: Context,
): Promise<Record<'monate' | 'ereignisse' | 'kennungen', number>> {
  const { owner } = context;
  const kept = await readKept(owner);
  const from = await refuseOld(context, kept);
  const before = from === null ? null : await noteRemovable(context, removableBefore(from), kept);
  if (before === null) return { monate: 0, ereignisse: 0, kennungen: 0 };
  const monate = await removeMonths(context, before);
  const ereignisse = total(
    await forEveryMandant(context, MANDANTEN, (mandant) => removeOlder(owner, mandant, before)),
  );
  const day = before.slice(0, 10);
  if (kept.kennungen_ab === day) return { monate, ereignisse, kennungen: 0 };
  const kennungen = total(
    await forEveryMandant(context, MANDANTEN, (mandant) => forgetIds(owner, mandant, day)),
  );
  await setForgottenBefore(owner, day);
  return { monate, ereignisse, kennungen };
}

/** Removes events and ids that are kept no longer, month by month; sums stay. */
export const entfernenJob = (context: Context) =>
  onSchedule({
    id: 'aufbewahrung.entfernen',
    cron: '47 3 * * *',
    atStart: false,
    run: () => removeWhatIsOld(context),
  });
