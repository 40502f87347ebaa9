/** Outgoing mail. */
import type { Job, JobContext } from '#jobs/index.ts';
import { versendenJob } from './jobs/versenden.ts';

export { attachment, MAX_ATTACHED } from './attachment.ts';
export { escaped, type Letter, toMail, unlinked } from './letter.ts';
export { type MailState, readMailState } from './stand.ts';
export { queueMail } from './store.ts';

export const postausgangJobs = (context: JobContext): Job[] => [versendenJob(context)];
