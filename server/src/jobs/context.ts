import type { ServiceContext } from '#platform/context.ts';
import type { OwnerDatabase } from '#platform/database/owner-database.ts';
import type { Mailer } from '#platform/mail.ts';

/** What `main` hands to the jobs of every slice: the outside world, made once. */
export interface JobContext
  extends Pick<ServiceContext, 'clock' | 'config' | 'documents' | 'log' | 'outbound' | 'secrets'> {
  /** Under the request role: what a job does for one Mandant sees no more than a request does. */
  db: ServiceContext['db'];
  /** Every Mandant at once, row-level security not applied. */
  owner: OwnerDatabase;
  mailer: Mailer;
}
