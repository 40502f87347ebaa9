/** Which interventions hold for the calls of an agent, or of one run. */
import type { Eingriff } from '../../api/types.ts';

/** Whose calls: of a run its id, its agent's key, its project and its end customer. */
export interface Calls {
  lauf?: string;
  agent: string;
  projekt: string;
  endkunde?: string | null;
}

/** Whether an intervention is about these calls, or some of them. Functions, users and models are of single calls. */
export function concerns(
  { objekt_art, objekt }: Pick<Eingriff, 'objekt_art' | 'objekt'>,
  calls: Calls,
): boolean {
  if (objekt_art === 'mandant') return true;
  if (objekt_art === 'funktion' || objekt_art === 'benutzer' || objekt_art === 'modell') return false;
  return calls[objekt_art] === objekt;
}
