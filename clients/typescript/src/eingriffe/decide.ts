/** Whether a call may be made, by what is in force. No input or output here. */
import type { Ereignis } from '../event.ts';
import { at, text } from '../json.ts';
import { byWeight, type Eingriff } from './eingriff.ts';

/**
 * A call that is about to be made, in the words of the event that will tell of it. A field left out is not known, and no
 * intervention about it holds for the call.
 */
export type Vorhaben = Pick<
  Ereignis,
  'agent' | 'lauf_id' | 'endkunde_ref' | 'funktion_ref' | 'benutzer_ref' | 'modell' | 'zusatz'
>;

/** What is known of the run of a call. */
export interface SeenRun {
  /** Epoch milliseconds. */
  beganAt: number;
  /** The runs that it was begun from, the nearest first, by their plain ids. */
  above: string[];
}

/** What follows for a call: the intervention that forbids it, and those that slow it down, each the weightiest first. */
export interface Decision {
  forbids: Eingriff | null;
  slow: Eingriff[];
}

/** The agent as the service knows it. */
export const agentOf = ({ agent }: Vorhaben): string => agent || 'unbekannt';

/** A UUID without what its spellings differ in. */
export const plainId = (id: string): string => id.toLowerCase().replace(/^urn:uuid:|[{}-]/g, '');

/** As the service finds the project, as far as a sender can: what the call says, else what stands before the slash. */
function projektOf(call: Vorhaben): string | null {
  const agent = agentOf(call);
  const slash = agent.indexOf('/');
  return text(at(call.zusatz, 'projekt')) ?? (slash > 0 ? agent.slice(0, slash) : null);
}

/** The run of the call, or one that it was begun from. */
const isOfRun = (objekt: string, call: Vorhaben, run: SeenRun | null): boolean => {
  const id = plainId(objekt);
  return (
    (Boolean(call.lauf_id) && plainId(call.lauf_id as string) === id) || (run?.above.includes(id) ?? false)
  );
};

function isAbout({ objekt_art, objekt }: Eingriff, call: Vorhaben, run: SeenRun | null): boolean {
  switch (objekt_art) {
    case 'lauf':
      return isOfRun(objekt, call, run);
    case 'agent':
      return agentOf(call) === objekt;
    case 'projekt':
      return projektOf(call) === objekt;
    case 'endkunde':
      return call.endkunde_ref === objekt;
    case 'funktion':
      return call.funktion_ref === objekt;
    case 'benutzer':
      return call.benutzer_ref === objekt;
    case 'modell':
      return call.modell === objekt;
    // Those about other keys reach none of ours.
    case 'schluessel':
    case 'mandant':
      return true;
  }
}

export const isOver = ({ bis }: Eingriff, now: number): boolean => bis !== null && Date.parse(bis) <= now;

/** Stopping anything but a run itself means the runs that had begun; what belongs to no run goes on. */
const isForbidden = ({ stufe, objekt_art, beginn }: Eingriff, laufBeginn: number | null): boolean =>
  stufe === 'sperren' ||
  (stufe === 'anhalten' &&
    (objekt_art === 'lauf' || (laufBeginn !== null && laufBeginn <= Date.parse(beginn))));

/** `run`: what is known of the run of the call, null where it belongs to none; times in epoch milliseconds. */
export function decide(
  eingriffe: Iterable<Eingriff>,
  call: Vorhaben,
  run: SeenRun | null,
  now: number,
): Decision {
  const about = [...eingriffe]
    .filter((each) => !isOver(each, now) && isAbout(each, call, run))
    .sort(byWeight);
  return {
    forbids: about.find((each) => isForbidden(each, run?.beganAt ?? null)) ?? null,
    slow: about.filter(({ stufe }) => stufe === 'drosseln'),
  };
}
