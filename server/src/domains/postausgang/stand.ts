/** How sending stands, over all Mandanten, for those who run the installation. */
import { toCount } from '#kernel/count.ts';
import type { RequestDatabase } from '#platform/database/index.ts';

/** Mails whose last attempt failed and that are tried again. */
export interface MailState {
  failing: number;
  /** How long the oldest of them has waited since it was written; 0 without one. */
  seconds: number;
}

/** Throws when the database does not answer. */
export async function readMailState(db: RequestDatabase): Promise<MailState> {
  const found = await db.transaction((client) => client.ask('zw_mail_stand'));
  return { failing: toCount(found?.scheiternd ?? 0), seconds: found?.sekunden ?? 0 };
}
