/** Outgoing mail. */
import type { Job, JobContext } from '#jobs/index.ts';
import { type NoteMailEnd, versendenJob } from './jobs/versenden.ts';

export { attachment, MAX_ATTACHED } from './attachment.ts';
export type { MailEnd, NoteMailEnd } from './jobs/versenden.ts';
export { escaped, type Letter, toMail, unlinked } from './letter.ts';
export { type MailState, readMailState } from './stand.ts';
export { queueMail } from './store.ts';

/** `noteEnds` hear what became of each mail. */
export const postausgangJobs = (context: JobContext, noteEnds: readonly NoteMailEnd[] = []): Job[] => [
  versendenJob(context, noteEnds),
];
