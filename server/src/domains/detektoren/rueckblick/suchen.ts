/** What a rule would have found on one local day. */
import type { PriceList } from '#domains/preise/index.ts';
import { loadRuns } from '../calls/load.ts';
import { loadPrices } from '../calls/load-prices.ts';
import { prepareTables } from '../calls/tables.ts';
import type { Found } from '../candidate.ts';
import type { Look } from '../detector.ts';
import {
  type CallRule,
  type DetectedRule,
  detect,
  isRunRule,
  isSumRule,
  ofCalls,
  ofRuns,
  ofSums,
  type RunRule,
  type SumRule,
} from '../detectors.ts';
import type { Tag } from './tage.ts';
import { chooseRuns } from './vorauswahl.ts';

/** Where it is looked: as the owner, in a transaction of its own for each day. */
export type SearchedAccount = Pick<Look, 'client' | 'mandant' | 'zone' | 'older'>;

/** From when on what was found counts: runs that ended within the days may have fired before them. */
export interface Since {
  von: Temporal.Instant;
}

const isWithin = (iso: string, von: Temporal.Instant, bis: Temporal.Instant): boolean =>
  Temporal.Instant.compare(iso, von) >= 0 && Temporal.Instant.compare(iso, bis) < 0;

async function findInRuns(place: SearchedAccount, regel: RunRule, tag: Tag, prices: PriceList, since: Since) {
  const look: Look = { ...place, von: tag.von, bis: tag.bis, istRueckblick: true };
  const runs = await chooseRuns(look, regel);
  if (runs.length === 0) return [];
  await loadRuns(look, runs);
  if (ofRuns(regel).needsPrices) await loadPrices(look, prices, ['schritte'], [regel]);
  const found = await detect(look, regel);
  return found.filter(
    ({ feuertAm, fensterBeginn }) => Temporal.Instant.compare(feuertAm ?? fensterBeginn, since.von) >= 0,
  );
}

async function findInCalls(
  place: SearchedAccount,
  regel: CallRule,
  tag: Tag,
  prices: PriceList,
): Promise<Found[]> {
  const { preselect, reach, needsPrices } = ofCalls(regel);
  const minutes = reach(regel);
  const look: Look = {
    ...place,
    von: tag.von.subtract({ minutes }),
    bis: tag.bis.add({ minutes }),
    istRueckblick: true,
  };
  await prepareTables(place.client);
  if (preselect) {
    look.prompts = await preselect(look, regel);
    if (look.prompts.length === 0) return [];
  }
  if (needsPrices) await loadPrices(look, prices, ['aufrufe'], [regel]);
  const found = await detect(look, regel);
  return found.filter(({ fensterBeginn }) => isWithin(fensterBeginn, tag.von, tag.bis));
}

async function findInSums(place: SearchedAccount, regel: SumRule, tag: Tag): Promise<Found[]> {
  const look: Look = { ...place, von: tag.von, bis: tag.bis, istRueckblick: true };
  const found = await detect(look, regel);
  if (ofSums(regel).dayBy(regel) === 'feuertAm')
    return found.filter(
      ({ feuertAm }) =>
        feuertAm &&
        Temporal.Instant.compare(feuertAm, tag.von) > 0 &&
        Temporal.Instant.compare(feuertAm, tag.bis) <= 0,
    );
  return found.filter(({ fensterBeginn }) => isWithin(fensterBeginn, tag.von, tag.bis));
}

/** What the rule would have found on this day; of runs, in those that ended on it. Inside a transaction. */
export function findOn(
  place: SearchedAccount,
  regel: DetectedRule,
  tag: Tag,
  prices: PriceList,
  since: Since,
): Promise<Found[]> {
  if (isRunRule(regel)) return findInRuns(place, regel, tag, prices, since);
  return isSumRule(regel) ? findInSums(place, regel, tag) : findInCalls(place, regel, tag, prices);
}
