/** Having all budgets looked at now. */
import type { budgetsPruefen, ResponseOf } from '#contracts';
import { askForCheck } from '#jobs/index.ts';
import type { MandantId } from '#kernel/mandant-id.ts';
import type { ServiceContext } from '#platform/context.ts';
import { BUDGET_CHECK } from '../jobs/pruefen.ts';
import { CHECKS } from '../limits.ts';

const NOT_YET = { fertig: false, mandanten: null, budgets: null, befunde: null };

/** Has a run made that begins from now on, unless another does, and waits for its end. Throws 429 for too many. */
export async function checkNow(
  context: Pick<ServiceContext, 'db' | 'throttle'>,
  mandant: MandantId,
): Promise<ResponseOf<typeof budgetsPruefen>> {
  await context.throttle.countSubject(CHECKS, mandant);
  const counters = await askForCheck(context, mandant, BUDGET_CHECK);
  if (!counters) return NOT_YET;
  const { mandanten = 0, budgets = 0, befunde = 0 } = counters;
  return { fertig: true, mandanten, budgets, befunde };
}
