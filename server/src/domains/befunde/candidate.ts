/** What a detector hands over: that a rule fires, on what, with which figures. */
import type { Befundtyp, Objektart, Stufe, TypOhneRegel } from '#contracts';
import type { RegelVon } from '#domains/regeln/index.ts';

export interface Candidate {
  /** Null where none is behind it: budgets that act by themselves, and `ohneRegel`. */
  regel: RegelVon | null;
  /** What it is that no rule is behind; left out: calls that came although an intervention should have kept them from happening. */
  ohneRegel?: TypOhneRegel;
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
  /** Of a budget that acts by itself, where no rule is behind it: how far it goes. */
  budgetStufe?: Stufe;
  /**
   * When the last call of it was received, ISO 8601, where the calls came in as they were made: a clock of the sender that is off does not make
   * them history.
   */
  empfangenAm?: string;
  /** It goes no further than this, whatever the rule says. */
  hoechstens?: Stufe;
  /**
   * Until when its cause holds if nothing else happens, and with it what is ordered (the end of a window), ISO 8601; null: until it is
   * lifted. Left out where only new calls say that it goes on: then orders hold until the run ends, or for the rest period of the agent.
   */
  bis?: string | null;
  /** It raises one alarm, however much it grows: what comes after it is a finding of its own (the next threshold of a budget). */
  nurEinmal?: true;
  /** Asked once more before anything is done about it: false where its cause was taken away meanwhile (a budget that was raised). */
  gilt?: () => Promise<boolean>;
}

export const typeOf = ({
  regel,
  ohneRegel,
  budgetStufe,
}: Pick<Candidate, 'regel' | 'ohneRegel' | 'budgetStufe'>): Befundtyp =>
  regel?.typ ?? (budgetStufe ? 'budget_schwelle' : (ohneRegel ?? 'eingriff_missachtet'));

/** Whether it is only noted. */
export const isShadow = ({ regel }: Pick<Candidate, 'regel'>): boolean => regel?.schattenbetrieb ?? false;
