/** Having all budgets looked at now. The worker does it, as the owner; whoever asked waits for its counters. */
import { setTimeout as delay } from 'node:timers/promises';
import type { budgetsPruefen, ResponseOf } from '#contracts';
import { enqueue } from '#jobs/index.ts';
import type { MandantId } from '#kernel/mandant-id.ts';
import type { ServiceContext } from '#platform/context.ts';
import { pruefenSofort } from '../jobs/pruefen-sofort.ts';
import { CHECKS } from '../limits.ts';
import { CHECK } from '../owner/check.ts';
import { readLatestRun, readNow } from '../store.ts';

/** How long one waits for the end of a run, in milliseconds; where none has come for long, hardly. */
const PATIENCE = 15_000;
const WITHOUT_WORKER = 300;
const LOOK = 100;

type Answer = ResponseOf<typeof budgetsPruefen>;

const NOT_YET: Answer = { fertig: false, mandanten: null, budgets: null, befunde: null };

/** Puts in a run that begins from now on, unless another does, and waits for its end. Throws 429 for too many. */
export async function checkNow(
  { db, throttle }: Pick<ServiceContext, 'db' | 'throttle'>,
  mandant: MandantId,
): Promise<Answer> {
  await throttle.countSubject(CHECKS, mandant);
  const asked = await db.forMandant(mandant, async (tx) => {
    const gefragt_am = await readNow(tx);
    await enqueue(tx, pruefenSofort, { gefragt_am });
    return gefragt_am;
  });
  const began = performance.now();
  for (;;) {
    const run = await db.forMandant(mandant, (tx) => readLatestRun(tx, CHECK, asked));
    if (run?.is_done) {
      const { mandanten = 0, budgets = 0, befunde = 0 } = run.zaehler;
      return { fertig: true, mandanten, budgets, befunde };
    }
    if (performance.now() - began > (run?.is_alive ? PATIENCE : WITHOUT_WORKER)) return NOT_YET;
    await delay(LOOK);
  }
}
