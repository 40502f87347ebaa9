/** What every detector gets and gives. */
import type pg from 'pg';
import type { DetectedType, Objektart, TypeOf } from '#contracts';
import type { KeptStep, RunState } from '#domains/laeufe/index.ts';
import type { Regel, RegelVon } from '#domains/regeln/index.ts';
import type { Eur } from '#kernel/money.ts';
import type { Values } from './calls/values.ts';
import type { Found } from './candidate.ts';
import type { OlderHours } from './rueckblick/older-hours.ts';

/** One of several parts of the runs, from 0; of a power of two. */
export interface Part {
  nr: number;
  of: number;
}

/** What is looked at: the calls of one Mandant from `von` to before `bis`. */
export interface Look {
  /** As the owner, in a transaction. */
  client: Pick<pg.ClientBase, 'query'>;
  mandant: string;
  /** IANA name of the Mandant's time zone. */
  zone: string;
  von: Temporal.Instant;
  bis: Temporal.Instant;
  /** Looking back: sums by the minute are made of the calls, and what has held for a moment counts, whatever came after it. */
  istRueckblick?: boolean;
  /** Looking back: hours whose sums are removed; undefined where none are. */
  older?: OlderHours | undefined;
  /** Of the runs this part only, by which all of them are shared out evenly; all of them unless given. */
  part?: Part;
  /** Calls with these fingerprints of the prompt (hexadecimal) only; nothing else is asked for. */
  prompts?: string[];
  /** Calls of these agents only. */
  agenten?: string[];
  /** There are few calls: what is loaded needs no statistics. */
  few?: boolean;
}

/** A run that has just changed. */
export interface TouchedRun {
  lauf_id: string;
  agent: string;
  projekt: string;
  endkunde_ref: string | null;
  aufrufe: number;
  /** What it has cost, and never less: to be compared with, not to be told. */
  eur: number;
  state: RunState;
  /** Of the steps that are kept those that succeeded. */
  succeeded: readonly KeptStep[];
  /** Whether it may be another run begun anew: alike in its first `steps`, at most `pause` seconds after that one has ended. Never too narrow. */
  mayBeAnew: (steps: number, pause: number) => boolean;
}

/** Which runs a rule may say anything of in a look back, by what is cheap to ask: never too narrow. */
interface RunChoice {
  /** Fewest calls of a run. */
  calls: number;
  /**
   * Runs by calls `c` of theirs, those of the day: `SELECT lauf_id FROM c …`. Null where the sums of the run say all. Runs that began
   * before the day are looked at in any case.
   */
  among: ((values: Values) => string) | null;
  /** A condition on sums `l` of the run; null for none. */
  sums: ((values: Values) => string) | null;
}

/**
 * The calls that findings are about, one by one, as SQL over what the detector reads: `objekt` and `beginn` of the finding (null: any of the
 * object), `ereignis_id`, `zeitpunkt`, `agent`, `kosten_eur`, and `eur`, what could be saved of it; null when unknown.
 */
export interface Calls {
  text: string;
  values: unknown[];
}

/** How a type is looked for. Each member must be said: what a type does not have is null. */
interface Looking<T extends DetectedType> {
  /** Whether it needs the rates of models, loaded before (`calls/load-prices.ts`). */
  needsPrices: boolean;
  find(look: Look, regel: Regel<T>): Promise<Found[]>;
  /** The calls of its findings, which the twin and burnt money count; null where the look holds nothing that could be told. */
  calls: ((look: Look, regel: Regel<T>) => Calls | null) | null;
}

/** Of the steps of runs in their order, loaded before (`calls/load.ts`). */
export interface RunDetector<T extends DetectedType> extends Looking<T> {
  /**
   * Whether the state of a run, as counting leaves it, gives reason to look at the run at once: cheap, and never too narrow. Null: it is
   * looked at with the next batch only.
   */
  trigger: ((regel: Regel<T>, run: TouchedRun) => boolean) | null;
  /** Which runs a look back reads. */
  preselect(regel: Regel<T>): RunChoice;
}

/** How an agent fared in a minute (epoch milliseconds). */
export interface FailuresOfMinute {
  ms: number;
  aufrufe: number;
  fehler: number;
}

/** What of an agent that has just called is known before its calls are read. */
export interface SeenOfAgent {
  /** Its last minutes, more of them than the longest window of the rules has. */
  minutes: readonly FailuresOfMinute[];
  /** Models that it may just have called: those of all calls of its Mandant that were just counted. */
  modelle: readonly string[];
}

/** Of calls where they lie. */
export interface CallDetector<T extends DetectedType> extends Looking<T> {
  /**
   * Whether what was seen of an agent gives reason to look at its calls at once, where the rule is armed: cheap, and never too narrow.
   * Null: it is looked at with the next batch only.
   */
  trigger: ((regel: Regel<T>, seen: SeenOfAgent) => boolean) | null;
  /** Prompts (fingerprints, hexadecimal) that a look back reads the calls of; null: it reads all of them. */
  preselect: ((look: Look, regel: Regel<T>) => Promise<string[]>) | null;
  /** How far calls of a finding may lie before and after its hour or day, in minutes. */
  reach(regel: Regel<T>): number;
}

/** Of the sums that counting keeps. */
export interface SumDetector<T extends DetectedType> extends Looking<T> {
  calls: null;
  /** Whether armed rules are looked at as soon as their sums have changed; else with the next batch. */
  trigger: boolean;
  /**
   * What the windows of a rule have come to at most by any that may still come without a further call, in EUR: by agent, of the agents
   * of the look, where the rule is about each by itself, else under ''. Resolves with null where it has no running sums. Null: its limit is
   * none of money.
   */
  reached: ((look: Look, regel: Regel<T>) => Promise<Map<string, Eur> | null>) | null;
  /** The day of a look back that a finding belongs to: that on which it begins, or that on which it came to hold. */
  dayBy(regel: Regel<T>): 'fensterBeginn' | 'feuertAm';
}

/** How a type is looked for, by what its declaration says it is looked for in. */
export type Detector<T extends DetectedType> =
  T extends TypeOf<'schritte'>
    ? RunDetector<T>
    : T extends TypeOf<'aufrufe'>
      ? CallDetector<T>
      : SumDetector<T>;

/** Objects that a look records at most, the latest first, of each part its share: a rule that fires for more is set wrongly. */
export const MAX_CANDIDATES = 2_000;

/** A rule of this type as everybody else knows it. */
export const asRule = <T extends DetectedType>(regel: Regel<T>): RegelVon => regel as RegelVon;

/** What findings are about that are about whatever the rule holds for. */
export const scopeObject = (regel: Regel): { objektArt: Objektart; objekt: string; agent: string | null } =>
  regel.bezug === null
    ? { objektArt: 'mandant', objekt: '', agent: null }
    : {
        objektArt: regel.geltungsbereich,
        objekt: regel.bezug,
        agent: regel.geltungsbereich === 'agent' ? regel.bezug : null,
      };
