/** How much of looking back is too much. */
import type { SubjectLimits } from '#platform/throttle.ts';

/** Looks back of a Mandant that are asked for: each may read all of its calls. A threshold that is moved asks again and again. */
export const LOOKS_BACK: SubjectLimits = { kind: 'detektoren.rueckblick', perHour: 600 };
/** That wait or are under way at a time. */
export const MAX_OPEN = 3;
