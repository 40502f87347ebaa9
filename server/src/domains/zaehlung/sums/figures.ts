/** What an event adds to each figure. */
import { FIGURES, type FigureName } from '#contracts';
import type { CountedEvent } from '../normalise.ts';

type NamesOf<K extends string> = {
  [N in FigureName]: (typeof FIGURES)[N]['kind'] extends K ? N : never;
}[FigureName];

export type CountName = NamesOf<'count' | 'tokens'>;
export type MoneyName = NamesOf<'usd' | 'eur'>;

const COUNTED: Record<CountName, (event: CountedEvent) => number> = {
  aufrufe: () => 1,
  fehler: (event) => (event.failed ? 1 : 0),
  unbepreist: (event) => (event.usd === null ? 1 : 0),
  geschaetzt: (event) => (event.geschaetzt ? 1 : 0),
  eingabe_token: (event) => event.sent.eingabe ?? 0,
  ausgabe_token: (event) => event.sent.ausgabe ?? 0,
  cache_lese_token: (event) => event.sent.cacheLese ?? 0,
  cache_schreib_token: (event) => event.sent.cacheSchreib ?? 0,
  denk_token: (event) => event.sent.denk ?? 0,
};

/** Which calls' cost a figure is. */
export type Share = 'all' | 'estimated' | 'burnt';
export const SHARES: readonly Share[] = ['all', 'estimated', 'burnt'];

export const SHARE_OF: Record<MoneyName, Share> = {
  kosten_usd: 'all',
  kosten_eur: 'all',
  geschaetzt_eur: 'estimated',
  verbranntes_geld_eur: 'burnt',
};

export const COUNT_NAMES = Object.keys(COUNTED) as CountName[];
export const MONEY_NAMES = Object.keys(SHARE_OF) as MoneyName[];
export const isInEur = (name: MoneyName): boolean => FIGURES[name].kind === 'eur';

/** What an event adds to the counts, in the order of `COUNT_NAMES`, and whether it is in the histograms. */
export interface Addition {
  counts: readonly ((event: CountedEvent) => number)[];
  histograms: boolean;
}

/** An event that is counted for the first time. */
export const NEW_EVENT: Addition = {
  counts: COUNT_NAMES.map((name) => COUNTED[name]),
  histograms: true,
};

/** An event that was counted without a price and has one now: nothing but its money is added. */
export const LATE_PRICE: Addition = {
  counts: COUNT_NAMES.map((name) => () => (name === 'unbepreist' ? -1 : 0)),
  histograms: false,
};
