/** What every detector gets and gives. */
import type pg from 'pg';
import type { DetectedType, Objektart } from '#contracts';
import type { Regel, RegelVon } from '#domains/regeln/index.ts';
import type { Found } from './candidate.ts';

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
  /** Of the runs this part only, by which all of them are shared out evenly; all of them unless given. */
  part?: Part;
  /** Calls with these fingerprints of the prompt (hexadecimal) only; nothing else is asked for. */
  prompts?: string[];
}

/** What a detector reads: steps of runs in their order, loaded before (`calls/load.ts`), calls, or the sums that counting keeps. */
export type Source = 'schritte' | 'aufrufe' | 'summen';

/**
 * The calls that findings are about, one by one, as SQL over what the detector reads: `objekt` and `beginn` of the finding (null: any of the
 * object), `ereignis_id`, `zeitpunkt`, `agent`, `kosten_eur`, and `eur`, what could be saved of it; null when unknown.
 */
export interface Calls {
  text: string;
  values: unknown[];
}

export interface Detector<T extends DetectedType> {
  source: Source;
  /** Whether it needs the rates of models, loaded before (`calls/load-prices.ts`). */
  needsPrices?: true;
  find(look: Look, regel: Regel<T>): Promise<Found[]>;
  /** Null where the look holds nothing that could be told. */
  calls?(look: Look, regel: Regel<T>): Calls | null;
}

/** Of more objects only the latest are told, of each part its share: a rule that fires for so many says nothing any more. */
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
