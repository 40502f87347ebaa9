import type { PriceList } from '#domains/preise/index.ts';
import { checkJobs, defineCheck, type JobContext } from '#jobs/index.ts';
import type { RecordFindings } from '../candidate.ts';
import { Looks } from '../owner/looks.ts';
import { runDetectors } from '../owner/run-detectors.ts';

export const DETECTION = defineCheck('detektoren.pruefen');

/**
 * Looks at the calls of the last day of all Mandanten with rules: every five minutes at those of whom something has changed, and at all when
 * somebody asks for it, since the answer says what there is.
 */
export const pruefenJobs = (
  { owner, log, clock }: Pick<JobContext, 'owner' | 'log' | 'clock'>,
  prices: PriceList,
  record: RecordFindings,
) => {
  const looks = new Looks();
  return checkJobs(
    DETECTION,
    owner,
    { cron: '*/5 * * * *', atStart: false },
    async (counters, isAskedFor) => {
      const context = { owner, prices, log, record, ...(isAskedFor ? {} : { looks }) };
      Object.assign(counters, await runDetectors(context, clock.now()));
    },
  );
};
