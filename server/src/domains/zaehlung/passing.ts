/** What counting fails of that has nothing to do with what is counted. No input or output here. */
import { isUnreachable } from '#platform/database/index.ts';

/** Other work has some of the Mandanten, or has changed their inbox since it was read. */
export class StretchChanged extends Error {
  readonly mandanten: ReadonlySet<string>;

  constructor(mandanten: string[]) {
    super('the inbox has changed');
    this.mandanten = new Set(mandanten);
  }
}

/** Classes of SQLSTATE that tell of others at work and not of the batch: concurrency, locks, operators. */
const PASSING = new Set(['40', '55', '57']);

/** Whether an error says nothing of what was to be counted: it is worth trying the same again. */
export const isPassing = (error: unknown): boolean =>
  isUnreachable(error) ||
  error instanceof StretchChanged ||
  PASSING.has((error as { code?: string }).code?.slice(0, 2) ?? '');
