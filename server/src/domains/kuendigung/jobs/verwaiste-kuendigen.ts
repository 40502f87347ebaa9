import { SYSTEM } from '#domains/protokoll/index.ts';
import { kontoVerwaist, listReachable } from '#domains/zugang/index.ts';
import { handle, type Job, type JobContext } from '#jobs/index.ts';
import { AppError } from '#kernel/errors.ts';
import { cancelAccount, type LeavingContext } from '../service.ts';

/** Nobody can sign in any more: the Mandant is cancelled like any other, so that the operator has 30 days to take it back. */
export const verwaisteKuendigenJob = (context: LeavingContext & Pick<JobContext, 'log'>): Job =>
  handle(kontoVerwaist, async ({ mandant }) => {
    if ((await context.db.forMandant(mandant, listReachable)).length > 0) return { gekuendigt: false };
    try {
      await cancelAccount(context, mandant, SYSTEM, '');
    } catch (error) {
      if (error instanceof AppError && error.code === 'schon_gekuendigt') return { gekuendigt: false };
      throw error;
    }
    context.log.info({ mandant }, 'Mandant without users cancelled');
    return { gekuendigt: true };
  });
