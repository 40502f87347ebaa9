/** What a finding leads to: pure decisions. */
import { type Objektart, REGELTYPEN, STUFEN, type Stufe } from '#contracts';
import { restMinutesOf as minutesOfRest, RUN_ENDS_MS } from '#domains/eingriffe/index.ts';
import type { Candidate } from './candidate.ts';

/** What an agent's own setting says; null where none is set. */
export interface AgentSettings {
  eingriffsstufe: string | null;
  ruhezeit: string | null;
}

const rank = (stufe: string): number => STUFEN.indexOf(stufe as Stufe);

/** The lower one of levels. */
const lowest = (stufen: readonly Stufe[]): Stufe =>
  stufen.reduce((low, each) => (rank(each) < rank(low) ? each : low), 'sperren');

export const isAtLeast = (stufe: Stufe, other: Stufe): boolean => rank(stufe) >= rank(other);

/** What has been over for this many hours is history (an import, a late delivery): nobody is to be stopped or called for it. */
const HISTORY_HOURS = 2;

const isHistory = ({ werte, empfangenAm }: Candidate, now: Date): boolean => {
  const last = empfangenAm ?? werte.bis;
  return typeof last === 'string' && now.getTime() - Date.parse(last) > HISTORY_HOURS * 3_600_000;
};

/** Its window is over: there is nothing left to stop. */
const isPast = ({ bis }: Candidate, now: Date): boolean =>
  typeof bis === 'string' && Date.parse(bis) <= now.getTime();

/** How far a finding goes: as the rule says, no further than its type, the detector and the agent let it. */
export function levelOf(candidate: Candidate, agent: AgentSettings | undefined, now: Date): Stufe {
  const { regel, hoechstens, budgetStufe } = candidate;
  if (isHistory(candidate, now)) return 'beobachten';
  if (regel === null && budgetStufe === undefined) return 'warnen';
  const cap = STUFEN.find((stufe) => stufe === agent?.eingriffsstufe);
  const own = isPast(candidate, now) ? 'warnen' : (hoechstens ?? 'sperren');
  const wanted = regel ? [regel.stufe, REGELTYPEN[regel.typ].hoechstens] : [budgetStufe ?? 'warnen'];
  return lowest([...wanted, own, hoechstens ?? 'sperren', cap ?? 'sperren']);
}

/** How long after a finding the same rule is quiet about the same agent, and findings still belong to one incident, in minutes. */
export const restMinutesOf = (agent: AgentSettings | undefined): number => minutesOfRest(agent?.ruhezeit);

/**
 * What was crossed: a limit that a person sets. It is part of the key, so that a raised limit that is crossed again is another finding.
 * Empty where nothing of the kind was.
 */
export const limitOf = ({ werte }: Pick<Candidate, 'werte'>): string =>
  [werte.schwelle, werte.budget_eur].filter((value) => typeof value === 'string').join(' ');

/** The key of a finding: found again under the same one it is changed. */
export function keyOf(candidate: Candidate): string {
  const { regel, ohneRegel, budgetStufe, objektArt, objekt, fensterBeginn, teil = '' } = candidate;
  const limit = limitOf(candidate);
  const parts = [
    regel?.regel_id ?? (budgetStufe ? 'budget' : (ohneRegel ?? 'eingriff')),
    objektArt,
    objekt,
    fensterBeginn,
    teil,
  ];
  return [...parts, ...(limit === '' ? [] : [limit])].join('|');
}

/** From when to when a finding is about calls, ISO 8601; `bis` null where it does not say. */
export interface Stretch {
  fenster_beginn: string;
  bis: string | null;
}

/** Whether a candidate is about a time that a finding is about, too. */
export const overlaps = ({ fensterBeginn, werte }: Candidate, { fenster_beginn, bis }: Stretch): boolean =>
  Temporal.Instant.compare(fensterBeginn, bis ?? fenster_beginn) <= 0 &&
  Temporal.Instant.compare(typeof werte.bis === 'string' ? werte.bis : fensterBeginn, fenster_beginn) >= 0;

/** What incidents are about: the agent where there is one. */
export const objectOfIncident = ({
  agent,
  objektArt,
  objekt,
}: Pick<Candidate, 'agent' | 'objektArt' | 'objekt'>): { art: Objektart; objekt: string } =>
  agent === null ? { art: objektArt, objekt } : { art: 'agent', objekt: agent };

/** What an intervention is about. Stopping is for the run; everything else about a run is for its agent. */
export function objectOfIntervention(
  stufe: Stufe,
  { objektArt, objekt, agent }: Pick<Candidate, 'agent' | 'objektArt' | 'objekt'>,
): { objekt_art: Objektart; objekt: string; agent: string | null } {
  if (objektArt === 'lauf' && agent !== null && stufe === 'sperren')
    return { objekt_art: 'agent', objekt: agent, agent };
  return { objekt_art: objektArt, objekt, agent };
}

/** Until when an order holds that is given, or renewed, now: until its cause ends, as far as that is known. */
export function untilOf(
  stufe: Stufe,
  candidate: Candidate,
  agent: AgentSettings | undefined,
  now: Date,
): Date | null {
  if (candidate.bis !== undefined) return candidate.bis === null ? null : new Date(candidate.bis);
  const isOfRun = objectOfIntervention(stufe, candidate).objekt_art === 'lauf';
  return new Date(now.getTime() + (isOfRun ? RUN_ENDS_MS : restMinutesOf(agent) * 60_000));
}
