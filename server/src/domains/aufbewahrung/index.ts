/** How long events, their ids and sums by the hour are kept, and that they go afterwards. */
import type { Job, JobContext } from '#jobs/index.ts';
import { entfernenJob } from './jobs/entfernen.ts';
import { stundenEntfernenJob } from './jobs/stunden-entfernen.ts';

export const aufbewahrungJobs = (context: JobContext): Job[] => [
  entfernenJob(context),
  stundenEntfernenJob(context),
];
