/** How a run says more than that it failed. */

/** Thrown by a run that would fail again: the job becomes a dead letter at once. */
export class GiveUp extends Error {}

/**
 * Thrown by a run that knows when it must be looked at again at the latest, whatever the pause would be; and perhaps that it is
 * of no use before some seconds have gone by.
 */
export class TryAgain extends Error {
  /** ISO 8601. */
  readonly latest: string;
  /** Seconds. */
  readonly atLeast: number;

  constructor(cause: unknown, latest: string, atLeast = 0) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
    this.latest = latest;
    this.atLeast = atLeast;
  }
}

const LONGEST_REASON = 2_000;

/** What is noted of a failure: its message and, of several failures, theirs. */
export function reasonOf(error: unknown): string {
  const own = error instanceof Error ? error.message : String(error);
  const inner = error instanceof AggregateError ? error.errors.map(reasonOf) : [];
  // A text of the database holds no NUL.
  return [own, ...inner].join('; ').replaceAll('\0', ' ').slice(0, LONGEST_REASON);
}
