/** Which interventions hold for the calls of an agent, or of one run. */
import type { Eingriff } from '../../api/types.ts';

/** Whose calls: of a run its id, its agent's key, its project and its end customer. */
export interface Calls {
  lauf?: string;
  agent: string;
  projekt: string;
  endkunde?: string | null;
}

/** Those that are of single calls. */
const OF_CALLS = ['funktion', 'benutzer', 'modell', 'schluessel'] as const;
type OfCalls = (typeof OF_CALLS)[number];

const isOfCalls = (art: Eingriff['objekt_art']): art is OfCalls => OF_CALLS.some((each) => each === art);

/** Whether an intervention is about these calls, or some of them. */
export function concerns(
  { objekt_art, objekt }: Pick<Eingriff, 'objekt_art' | 'objekt'>,
  calls: Calls,
): boolean {
  if (objekt_art === 'mandant') return true;
  if (isOfCalls(objekt_art)) return false;
  return calls[objekt_art] === objekt;
}
