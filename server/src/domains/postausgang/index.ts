/** Outgoing mail. */
export { createPostSender, type PostSender } from './jobs/versenden.ts';
export { type Letter, toMail } from './letter.ts';
export { queueMail } from './store.ts';
