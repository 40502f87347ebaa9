/** Whether a call has to reserve, and with which calls it may share a block. No input or output here. */
import { agentOf, type Vorhaben } from '../eingriffe/decide.ts';
import { at, text } from '../json.ts';
import type { Scope } from './answer.ts';

const OWN: Record<string, (call: Vorhaben) => string | null> = {
  agent: agentOf,
  endkunde: ({ endkunde_ref }) => endkunde_ref ?? null,
  funktion: ({ funktion_ref }) => funktion_ref ?? null,
  benutzer: ({ benutzer_ref }) => benutzer_ref ?? null,
  modell: ({ modell }) => modell ?? null,
};

/** A project that people have chosen, and which key it is, only the service knows: it is asked. */
const isAbout = ({ objekt_art, objekt, je_lauf }: Scope, call: Vorhaben): boolean => {
  if (je_lauf && !call.lauf_id) return false;
  const own = OWN[objekt_art];
  return own === undefined || own(call) === objekt;
};

/** Names the block that a call takes its part from; null where no hard limit can hold for it. */
export function blockKey(scopes: readonly Scope[], call: Vorhaben): string | null {
  const about = scopes.filter((each) => isAbout(each, call));
  if (about.length === 0) return null;
  const kinds = new Set(scopes.map(({ objekt_art, je_agent }) => (je_agent ? 'agent' : objekt_art)));
  const values = [...kinds].sort().map((kind) => OWN[kind]?.(call) ?? null);
  const needsProject = kinds.has('projekt');
  const run = scopes.some(({ je_lauf }) => je_lauf) ? (call.lauf_id ?? null) : null;
  return JSON.stringify([
    run,
    ...values,
    ...(needsProject ? [agentOf(call), text(at(call.zusatz, 'projekt'))] : []),
  ]);
}
