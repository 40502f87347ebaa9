/** What limits look at of a call, as texts `<kind>=<value>`: a reservation keeps them, and what is reserved is summed by them. */
import {
  ADDED_FIELDS,
  type BodyOf,
  type GRENZBEREICHE,
  type reservierungenAnlegen,
  SENT_FIELDS,
} from '#contracts';

type Bereich = (typeof GRENZBEREICHE)[number];

/** A call that is about to be made. */
export type Wish = BodyOf<typeof reservierungenAnlegen>['aufrufe'][number];

export const ALL_CALLS = 'mandant=';

export const tagOf = (kind: string, value: string): string => `${kind}=${value}`;

/** The kind and the value of a tag. */
export const named = (tag: string): { objekt_art: Bereich; objekt: string } => ({
  objekt_art: tag.slice(0, tag.indexOf('=')) as Bereich,
  objekt: tag.slice(tag.indexOf('=') + 1),
});

/** What the service knows of a call beyond what it says. */
export interface KnownOfSender {
  schluesselId: string;
  /** Project of the key. */
  schluesselProjekt: string | null;
  /** Projects that people have chosen, by agent. */
  agentProjekte: ReadonlyMap<string, string>;
}

export const agentOf = ({ agent }: Wish): string => agent || SENT_FIELDS.agent.otherwise;

/** As counting finds it. */
function projektOf(wish: Wish, { schluesselProjekt, agentProjekte }: KnownOfSender): string {
  const agent = agentOf(wish);
  const slash = agent.indexOf('/');
  const before = slash > 0 ? [...agent.slice(0, slash)].slice(0, 100).join('') : null;
  return (
    wish.projekt ||
    (agentProjekte.get(agent) ?? before ?? schluesselProjekt ?? ADDED_FIELDS.projekt.otherwise)
  );
}

export function tagsOf(wish: Wish, known: KnownOfSender): string[] {
  const said = {
    agent: agentOf(wish),
    projekt: projektOf(wish, known),
    endkunde: wish.endkunde_ref,
    funktion: wish.funktion_ref,
    benutzer: wish.benutzer_ref,
    modell: wish.modell,
    schluessel: known.schluesselId,
    lauf: wish.lauf_id,
  };
  const named = Object.entries(said).flatMap(([kind, value]) => (value ? [tagOf(kind, value)] : []));
  return [ALL_CALLS, ...named];
}
