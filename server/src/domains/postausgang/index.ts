/** Outgoing mail: its kinds, how much of it may leave, and who does not want it. */
import type { Route } from '#http/index.ts';
import type { Job, JobContext } from '#jobs/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import { freigebenJob } from './jobs/freigeben.ts';
import { gehaltenesFreigebenJob } from './jobs/gehaltenes-freigeben.ts';
import { type NoteMailEnd, versendenJob } from './jobs/versenden.ts';
import { postAbmeldenRoute } from './routes/abmelden.ts';
import { postEmpfangLesenRoute } from './routes/empfang-lesen.ts';
import { postEmpfangSetzenRoute } from './routes/empfang-setzen.ts';

export type { ArtName } from './arten.ts';
export { askRecipients } from './ask-recipients.ts';
export { attachment } from './attachment.ts';
export { addressKey, reserveMails, spend } from './budget.ts';
export { forgetRecipients, keptFrom, recipientsOf, type StopLinks, stopLinks } from './empfaenger.ts';
export { mailExhausted } from './errors.ts';
export type { NoteMailEnd } from './jobs/versenden.ts';
export { escaped, type Letter, quotedName, toMail, unlinked } from './letter.ts';
export { replyAddress } from './proven.ts';
export { type MailState, readMailState } from './stand.ts';
export { queueMail, releaseHeld } from './store.ts';

/** `noteEnds` hear what became of each mail. */
export const postausgangJobs = (context: JobContext, noteEnds: readonly NoteMailEnd[] = []): Job[] => [
  versendenJob(context, noteEnds),
  freigebenJob(context),
  gehaltenesFreigebenJob(context),
];

export const postausgangRoutes = (context: ServiceContext): Route[] => [
  postEmpfangLesenRoute(context),
  postEmpfangSetzenRoute(context),
  postAbmeldenRoute(context),
];
