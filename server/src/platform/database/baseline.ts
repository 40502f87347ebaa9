/**
 * The schema of 0.3.0 as one file. A database that the migrations of that release have made has it already; one on the way there
 * goes through that release first (docs/decisions/0109, 0192).
 */
import type pg from 'pg';

/** The number of the file. */
export const BASELINE = 146;
/**
 * The last migration of 0.3.0, which this version has no file of any more. Every start runs all that are missing, in the order of their
 * numbers: who has the last has all.
 */
export const LAST_BEFORE_BASELINE = 141;

/** The database is as a version before has left it; a German sentence says what to do. */
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
    `Die Datenbank ist von einer Version vor 0.3.0 (Migration ${Math.max(...numbers)} von ${LAST_BEFORE_BASELINE}). Bitte starten Sie auf ihr zuerst v0.3.0 und danach diese Version (docs/operations.md). Geändert wurde nichts.`,
  );

/** What 0.3.0 has not finished, or what this version has no answer for, with its sentence. */
const LEFT: Record<string, string> = {
  'SELECT FROM zaehlstaende WHERE stuecke_bis <> marken LIMIT 1':
    'v0.3.0 ist noch nicht fertig: Aufrufe, die eine Version davor gezählt hat, stehen noch nicht in Stücken. Bitte lassen Sie v0.3.0 laufen, bis deren Protokoll zu „zaehlung.stuecke_nachholen“ „mandanten: 0“ meldet, und starten Sie danach diese Version (docs/operations.md).',
  'SELECT FROM verbrauch_stuecke WHERE dimensionen IS NOT NULL LIMIT 1':
    'Von Tagen, deren Aufrufe schon vor v0.3.0 entfernt waren, gibt es nur Summen einzelner Merkmale. Auskunft darüber gibt nur v0.3.0; bitte bleiben Sie dabei (docs/operations.md).',
};

/** Throws `SchemaTooOld` where what 0.3.0 has left is not all in pieces of calls, which is all that this version reads. */
export async function requirePieces(client: pg.ClientBase): Promise<void> {
  for (const [select, sentence] of Object.entries(LEFT))
    if ((await client.query(select)).rowCount) throw new SchemaTooOld(`${sentence} Geändert wurde nichts.`);
}
