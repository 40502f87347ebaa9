/** How old what every price rests on is. */
import type { ResponseOf, status } from '#contracts';
import type { NewestRate } from './store/rate-age.ts';
import { supplementReadOn } from './supplement/load.ts';

type Preisstand = ResponseOf<typeof status>['preisstand'];
type Alter = Preisstand['ergaenzung'];

const DAY_MS = 86_400_000;

function ageOf(tag: string, now: Date): Alter {
  const days = Math.floor((now.getTime() - Date.parse(tag)) / DAY_MS);
  return { tag, alter_tage: Math.max(0, days) };
}

/** Of the price list is known how many seconds ago its source last had it; what is not known is null. */
export function freshnessOf(listSeconds: number | null, rate: NewestRate | null, now: Date): Preisstand {
  const confirmed =
    listSeconds === null ? null : new Date(now.getTime() - listSeconds * 1_000).toISOString().slice(0, 10);
  return {
    liste: confirmed === null ? null : ageOf(confirmed, now),
    ergaenzung: ageOf(supplementReadOn, now),
    kurse: rate && ageOf(rate.tag, now),
  };
}
