/** Quotas: how much a key and a Mandant may send in a minute. */
import type { Job, JobContext } from '#jobs/index.ts';
import { abgelaufeneEntfernenJob } from './jobs/abgelaufene-entfernen.ts';

export { createQuota } from './service.ts';

export const kontingenteJobs = (context: JobContext): Job[] => [abgelaufeneEntfernenJob(context)];
