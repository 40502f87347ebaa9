import type { PriceList } from '#domains/preise/index.ts';
import { checkJobs, defineCheck, type JobContext } from '#jobs/index.ts';
import type { RecordFindings } from '../candidate.ts';
import { Looks } from '../owner/looks.ts';
import { runDetectors } from '../owner/run-detectors.ts';

export const DETECTION = defineCheck('detektoren.pruefen');

/**
 * Looks at the calls of the last day of all Mandanten with rules of whom something has changed, every five minutes and when somebody asks
 * for it.
 */
export const pruefenJobs = (
  { owner, log, clock }: Pick<JobContext, 'owner' | 'log' | 'clock'>,
  prices: PriceList,
  record: RecordFindings,
) => {
  const looks = new Looks();
  return checkJobs(DETECTION, owner, { cron: '*/5 * * * *', atStart: false }, async (counters) => {
    Object.assign(counters, await runDetectors({ owner, prices, log, record, looks }, clock.now()));
  });
};
