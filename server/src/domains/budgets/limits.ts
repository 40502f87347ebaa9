/** How much is too much. */
import type { SubjectLimits } from '#platform/throttle.ts';

/** Checks that a Mandant may ask for: each is of the whole installation. */
export const CHECKS: SubjectLimits = { kind: 'budgets.pruefen', perHour: 240 };
