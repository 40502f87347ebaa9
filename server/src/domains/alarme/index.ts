/** Alarms: raised in the transaction that finds their cause, delivered through the channels of the Mandant, with a log of it. */
import type { Job, JobContext } from '#jobs/index.ts';
import { alteAlarmeEntfernenJob } from './jobs/alte-entfernen.ts';
import { sammelnJob } from './jobs/sammeln.ts';
import { verteilenJob } from './jobs/verteilen.ts';
import { zustellenJob } from './jobs/zustellen.ts';

export { type Alarm, type AlarmMessage, raiseAlarm, raiseRecovery } from './owner/raise.ts';

export const alarmeJobs = (context: JobContext): Job[] => [
  verteilenJob(context),
  zustellenJob(context),
  sammelnJob(context),
  alteAlarmeEntfernenJob(context),
];
