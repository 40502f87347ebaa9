/** What a rule would have found on one local day. */
import type { PriceList } from '#domains/preise/index.ts';
import type { Regel } from '#domains/regeln/index.ts';
import { loadRuns } from '../calls/load.ts';
import { loadPrices } from '../calls/load-prices.ts';
import { windowMinutes } from '../calls/statement.ts';
import { prepareTables } from '../calls/tables.ts';
import type { Found } from '../candidate.ts';
import type { Look } from '../detector.ts';
import { DETECTORS, type DetectedRule, detect } from '../detectors.ts';
import type { Tag } from './tage.ts';
import { chooseRuns, findRepeated, isAboutRuns } from './vorauswahl.ts';

/** Where it is looked: as the owner, in a transaction of its own for each day. */
export type Place = Pick<Look, 'client' | 'mandant' | 'zone'>;

/** From when on what was found counts: runs that ended within the days may have fired before them. */
export interface Since {
  von: Temporal.Instant;
}

const isWithin = (iso: string, von: Temporal.Instant, bis: Temporal.Instant): boolean =>
  Temporal.Instant.compare(iso, von) >= 0 && Temporal.Instant.compare(iso, bis) < 0;

async function findInRuns(place: Place, regel: DetectedRule, tag: Tag, prices: PriceList, since: Since) {
  const look: Look = { ...place, von: tag.von, bis: tag.bis, istRueckblick: true };
  const runs = await chooseRuns(look, regel as Regel<'schleife_exakt'>);
  if (runs.length === 0) return [];
  await loadRuns(look, runs);
  if (DETECTORS[regel.typ].needsPrices) await loadPrices(look, prices, ['schritte'], [regel]);
  const found = await detect(look, regel);
  return found.filter(
    ({ feuertAm, fensterBeginn }) => Temporal.Instant.compare(feuertAm ?? fensterBeginn, since.von) >= 0,
  );
}

/** Windows reach over midnight on both sides. */
const REACHING: readonly string[] = ['wiederholsturm', 'fehlerbrand'];

async function findInCalls(place: Place, regel: DetectedRule, tag: Tag, prices: PriceList): Promise<Found[]> {
  const minutes = REACHING.includes(regel.typ) ? windowMinutes(regel) : 0;
  const look: Look = {
    ...place,
    von: tag.von.subtract({ minutes }),
    bis: tag.bis.add({ minutes }),
    istRueckblick: true,
  };
  await prepareTables(place.client);
  if (regel.typ === 'duplikat') {
    look.prompts = await findRepeated(look, regel);
    if (look.prompts.length === 0) return [];
  }
  if (DETECTORS[regel.typ].needsPrices) await loadPrices(look, prices, ['aufrufe'], [regel]);
  const found = await detect(look, regel);
  return found.filter(({ fensterBeginn }) => isWithin(fensterBeginn, tag.von, tag.bis));
}

async function findInSums(place: Place, regel: DetectedRule, tag: Tag): Promise<Found[]> {
  const look: Look = { ...place, von: tag.von, bis: tag.bis, istRueckblick: true };
  const found = await detect(look, regel);
  // What is over for a month is over from one hour on; the last one of a day ends with it.
  if (regel.zeitfenster === 'monat')
    return found.filter(
      ({ feuertAm }) =>
        feuertAm &&
        Temporal.Instant.compare(feuertAm, tag.von) > 0 &&
        Temporal.Instant.compare(feuertAm, tag.bis) <= 0,
    );
  if (regel.typ === 'stille') return found;
  return found.filter(({ fensterBeginn }) => isWithin(fensterBeginn, tag.von, tag.bis));
}

/** What the rule would have found on this day; of runs, in those that ended on it. Inside a transaction. */
export function findOn(
  place: Place,
  regel: DetectedRule,
  tag: Tag,
  prices: PriceList,
  since: Since,
): Promise<Found[]> {
  if (isAboutRuns(regel.typ)) return findInRuns(place, regel, tag, prices, since);
  return DETECTORS[regel.typ].source === 'summen'
    ? findInSums(place, regel, tag)
    : findInCalls(place, regel, tag, prices);
}
