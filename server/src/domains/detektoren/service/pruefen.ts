/** Having the detectors look now. */
import type { detektorenPruefen, ResponseOf } from '#contracts';
import { askForCheck } from '#jobs/index.ts';
import type { MandantId } from '#kernel/mandant-id.ts';
import type { ServiceContext } from '#platform/context.ts';
import type { SubjectLimits } from '#platform/throttle.ts';
import { DETECTION } from '../jobs/pruefen.ts';

/** Checks that a Mandant may ask for: each is of the whole installation. */
export const CHECKS: SubjectLimits = { kind: 'detektoren.pruefen', perHour: 240 };

const NOT_YET = { fertig: false, mandanten: null, regeln: null, befunde: null, fehlgeschlagen: null };

/** Has a run made that begins from now on, unless another does, and waits for its end. Throws 429 for too many. */
export async function detectNow(
  context: Pick<ServiceContext, 'db' | 'throttle'>,
  mandant: MandantId,
): Promise<ResponseOf<typeof detektorenPruefen>> {
  await context.throttle.countSubject(CHECKS, mandant);
  const counters = await askForCheck(context, mandant, DETECTION);
  if (!counters) return NOT_YET;
  const { mandanten = 0, regeln = 0, befunde = 0, fehlgeschlagen = 0 } = counters;
  return { fertig: true, mandanten, regeln, befunde, fehlgeschlagen };
}
