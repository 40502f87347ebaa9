/** What a detector hands over: that a rule fires, on what, with which figures. */
import type { Objektart, Regeltyp, Stufe } from '#contracts';
import type { RegelVon } from '#domains/regeln/index.ts';

export interface Candidate {
  /** Null for calls that came although an intervention should have kept them from happening. */
  regel: RegelVon | null;
  objektArt: Objektart;
  /** Id of the run, key of the agent or project, reference, name; empty for the Mandant. */
  objekt: string;
  /** Whose calls it is about, where it is one agent's. */
  agent: string | null;
  lauf: string | null;
  /** Instant, ISO 8601: what the cause begins with. With rule and object it is the key of the finding. */
  fensterBeginn: string;
  /** A further part of the key, where a rule finds several things in one window (a threshold of a budget). */
  teil?: string;
  /** Figures, as plain JSON (`werte` of its type, `contracts/rule-types`). */
  werte: Record<string, unknown>;
  /** Exact decimals in EUR; null when unknown or nothing of the kind. */
  kostenEur: string | null;
  verbranntEur: string | null;
  potentialEur: string | null;
  /** It goes no further than this, whatever the rule says. */
  hoechstens?: Stufe;
  /** Until when what is done about it holds, ISO 8601; the rest period of the agent unless given. */
  bis?: string | null;
}

export const typeOf = ({ regel }: Pick<Candidate, 'regel'>): Regeltyp | 'eingriff_missachtet' =>
  regel?.typ ?? 'eingriff_missachtet';

/** Whether it is only noted. */
export const isShadow = ({ regel }: Pick<Candidate, 'regel'>): boolean => regel?.schattenbetrieb ?? false;
