import Type from 'typebox';
import { datetime } from '#contracts';
import { defineJob, handle, type Job } from '#jobs/index.ts';
import { CHECK, type CheckContext, checkBudgets } from '../owner/check.ts';
import { runSince } from '../owner/shared-run.ts';

/** Somebody wants all budgets to be looked at now. */
export const pruefenSofort = defineJob({
  id: 'budgets.pruefen_sofort',
  version: 1,
  payload: Type.Object({ gefragt_am: datetime() }),
});

/** Looks at all budgets, unless that has begun since it was asked for. */
export const pruefenSofortJob = (context: CheckContext): Job =>
  handle(pruefenSofort, async ({ payload: { gefragt_am } }) => {
    const run = (counters: Record<string, number>) => checkBudgets(context, counters);
    return (await runSince(context.owner, CHECK, gefragt_am, run)) ?? { geteilt: true };
  });
