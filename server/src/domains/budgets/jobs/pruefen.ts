import { onSchedule } from '#jobs/index.ts';
import { CHECK, type CheckContext, checkBudgets } from '../owner/check.ts';
import { runShared } from '../owner/shared-run.ts';

/** Looks at all budgets every five minutes. */
export const pruefenJob = (context: CheckContext) =>
  onSchedule({
    id: 'budgets.pruefen',
    cron: '*/5 * * * *',
    atStart: true,
    run: async () =>
      (await runShared(context.owner, CHECK, (counters) => checkBudgets(context, counters))) ?? {
        geteilt: true,
      },
  });
