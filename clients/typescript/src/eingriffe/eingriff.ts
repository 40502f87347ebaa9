import { at, text } from '../json.ts';

/** Levels that keep a call from being made or make it wait, rising; the lower ones ask nothing of a client. */
const ACTING = ['drosseln', 'anhalten', 'sperren'] as const;

/** An intervention in force, as the service tells of it. */
export interface Eingriff {
  eingriff_id: string;
  stufe: (typeof ACTING)[number];
  objekt_art: Objektart;
  objekt: string;
  /** Where it is about one agent or a run of it. */
  agent: string | null;
  /** Why, in German and in English. */
  grund: string;
  grund_en: string;
  beginn: string;
  /** Null when it ends by hand only. */
  bis: string | null;
}

type Objektart =
  | 'lauf'
  | 'agent'
  | 'funktion'
  | 'benutzer'
  | 'endkunde'
  | 'modell'
  | 'projekt'
  | 'schluessel'
  | 'mandant';

/** How much what an intervention is about takes in. */
const WIDTH: Record<Objektart, number> = {
  lauf: 0,
  agent: 1,
  funktion: 2,
  benutzer: 3,
  endkunde: 4,
  modell: 5,
  projekt: 6,
  schluessel: 7,
  mandant: 8,
};

const stufeOf = (value: unknown) => ACTING.find((stufe) => stufe === value);
const artOf = (value: unknown) => (Object.keys(WIDTH) as Objektart[]).find((art) => art === value);

/** An instant as it is written, null where it is none. */
function instantOf(value: unknown): string | null {
  const written = text(value);
  return written === null || Number.isNaN(Date.parse(written)) ? null : written;
}

function eingriffOf(value: unknown): Eingriff | null {
  const eingriff_id = text(at(value, 'eingriff_id'));
  const stufe = stufeOf(at(value, 'stufe'));
  const objekt_art = artOf(at(value, 'objekt_art'));
  const beginn = instantOf(at(value, 'beginn'));
  if (eingriff_id === null || !stufe || !objekt_art || beginn === null) return null;
  return {
    eingriff_id,
    stufe,
    objekt_art,
    objekt: text(at(value, 'objekt')) ?? '',
    agent: text(at(value, 'agent')),
    grund: text(at(value, 'grund')) ?? '',
    grund_en: text(at(value, 'grund_en')) ?? '',
    beginn,
    bis: instantOf(at(value, 'bis')),
  };
}

/** The key of fingerprints that the body of an answer tells; null where it tells none. */
export function printKeyIn(body: string): string | null {
  const told = text(at(JSON.parse(body), 'fingerabdruck_schluessel'));
  return told !== null && /^[0-9a-f]{64}$/.test(told) ? told : null;
}

/** The interventions that the body of an answer lists, without those nobody has to obey; null where it has no list. */
export function eingriffeIn(body: string): Eingriff[] | null {
  try {
    const listed = at(JSON.parse(body), 'eingriffe');
    return Array.isArray(listed) ? listed.flatMap((each) => eingriffOf(each) ?? []) : null;
  } catch {
    return null;
  }
}

/** Sorts the highest level first, of one level the narrowest object. */
export const byWeight = (a: Eingriff, b: Eingriff): number =>
  ACTING.indexOf(b.stufe) - ACTING.indexOf(a.stufe) || WIDTH[a.objekt_art] - WIDTH[b.objekt_art];
