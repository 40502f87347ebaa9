/** How long events and their ids are kept, and that they go afterwards. */
import type { Job, JobContext } from '#jobs/index.ts';
import { entfernenJob } from './jobs/entfernen.ts';

export const aufbewahrungJobs = (context: JobContext): Job[] => [entfernenJob(context)];
