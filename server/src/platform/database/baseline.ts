/**
 * The schema of 0.2.0 as one file. A database that the migrations of that release have made has it already; one on the way there
 * goes through that release first (docs/decisions/0109).
 */

/** The number of the file. */
export const BASELINE = 100;
/**
 * The last migration of 0.2.0, which this version has no file of any more. Every start runs all that are missing, in the order of their
 * numbers: who has the last has all.
 */
export const LAST_BEFORE_BASELINE = 67;

/** The schema is of a version before 0.2.0; a German sentence says what to do. */
export class SchemaTooOld extends Error {}

/**
 * What there is by the numbers of the migrations that were applied: nothing, the baseline, what counts as it, or less than that, which
 * no migration of today leads on from.
 */
export function standOf(numbers: readonly number[]): 'nothing' | 'baseline' | 'counts as baseline' | 'less' {
  if (numbers.includes(BASELINE)) return 'baseline';
  if (numbers.includes(LAST_BEFORE_BASELINE)) return 'counts as baseline';
  return numbers.length === 0 ? 'nothing' : 'less';
}

/** The sentence for a database that has less. */
export const tooOld = (numbers: readonly number[]): SchemaTooOld =>
  new SchemaTooOld(
    `Die Datenbank ist von einer Version vor 0.2.0 (Migration ${Math.max(...numbers)} von ${LAST_BEFORE_BASELINE}). Bitte starten Sie auf ihr zuerst v0.2.0 und danach diese Version (docs/operations.md). Geändert wurde nichts.`,
  );
