/** What a finding leads to: pure decisions. */
import { type Objektart, REGELTYPEN, STUFEN, type Stufe } from '#contracts';
import { minutesOf } from '#domains/regeln/index.ts';
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

/** What has been over for so many hours is history (an import, a late delivery): nobody is to be stopped or called for it. */
const HISTORY_HOURS = 2;

const isHistory = ({ werte }: Candidate, now: Date): boolean =>
  typeof werte.bis === 'string' && now.getTime() - Date.parse(werte.bis) > HISTORY_HOURS * 3_600_000;

/** How far a finding goes: as the rule says, no further than its type, the detector and the agent let it. */
export function levelOf(candidate: Candidate, agent: AgentSettings | undefined, now: Date): Stufe {
  const { regel, hoechstens } = candidate;
  if (isHistory(candidate, now)) return 'beobachten';
  if (regel === null) return 'warnen';
  const cap = STUFEN.find((stufe) => stufe === agent?.eingriffsstufe);
  return lowest([regel.stufe, REGELTYPEN[regel.typ].hoechstens, hoechstens ?? 'sperren', cap ?? 'sperren']);
}

/** How long after a finding the same rule is quiet about the same agent, and findings still belong to one incident, in minutes. */
const REST_MINUTES = 60;

export const restMinutesOf = (agent: AgentSettings | undefined): number =>
  (agent?.ruhezeit ? minutesOf(agent.ruhezeit) : null) ?? REST_MINUTES;

/** The key of a finding: found again under the same one it is changed. */
export const keyOf = ({ regel, objektArt, objekt, fensterBeginn, teil = '' }: Candidate): string =>
  [regel?.regel_id ?? 'eingriff', objektArt, objekt, fensterBeginn, teil].join('|');

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

/** A stopped run is not gone on with after this many days; what holds for it would else be kept for ever. */
const STOPPED_RUN_DAYS = 7;

/** Until when an intervention holds. */
export function untilOf(
  stufe: Stufe,
  candidate: Candidate,
  agent: AgentSettings | undefined,
  now: Date,
): Date | null {
  if (candidate.bis !== undefined) return candidate.bis === null ? null : new Date(candidate.bis);
  const minutes =
    stufe === 'anhalten' && candidate.objektArt === 'lauf' ? STOPPED_RUN_DAYS * 1_440 : restMinutesOf(agent);
  return new Date(now.getTime() + minutes * 60_000);
}
