/** What a detector has found: a finding to be, before anybody has written it down. */
import type { Objektart, Stufe } from '#contracts';
import type { RegelVon } from '#domains/regeln/index.ts';

export interface Candidate {
  regel: RegelVon;
  objektArt: Objektart;
  /** '' for the Mandant; key of agent or project, reference, name, id of the run. */
  objekt: string;
  /** Whom an intervention would hold for. */
  agent: string | null;
  lauf: string | null;
  /** ISO instant; part of the finding's key, together with rule and object. */
  fensterBeginn: string;
  /** Plain JSON figures: `contracts/befund-werte.ts`. */
  werte: Record<string, unknown>;
  /** Exact decimals; null when unknown or nothing of the kind. */
  kostenEur: string | null;
  verbranntEur: string | null;
  potentialEur: string | null;
  /** The rule does no more than this for it. */
  hoechstens?: Stufe;
  /** Until when an intervention holds (ISO); the agent's rest period unless given. */
  bis?: string | null;
}

/** Writes findings down, inside the caller's transaction, as the owner; what has its key already is updated. */
export type RecordFindings = (
  client: import('pg').PoolClient,
  mandant: string,
  candidates: Candidate[],
  now: Date,
) => Promise<unknown>;
