import { checkJobs, defineCheck } from '#jobs/index.ts';
import { type CheckContext, checkBudgets } from '../owner/check.ts';

export const BUDGET_CHECK = defineCheck('budgets.pruefen');

/** Looks at all budgets every five minutes, and when somebody asks for it. */
export const pruefenJobs = (context: CheckContext) =>
  checkJobs(BUDGET_CHECK, context.owner, { cron: '*/5 * * * *', atStart: true }, (counters) =>
    checkBudgets(context, counters),
  );
