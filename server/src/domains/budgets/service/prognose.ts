/** What this month will cost. */
import type { kostenprognose, ResponseOf } from '#contracts';
import { rateSourcesOfAll, type Snapshot, totalCostsSince, withSnapshot } from '#domains/verbrauch/index.ts';
import type { MandantId } from '#kernel/mandant-id.ts';
import { type Eur, eurFrom, eurText } from '#kernel/money.ts';
import { toIsoWithOffset } from '#kernel/zeitraum.ts';
import type { ServiceContext } from '#platform/context.ts';
import { askInRequest } from '#platform/database/index.ts';
import { type Month, monthOf } from '../month.ts';
import { forecastText } from '../rules.ts';
import { readFirstCall } from '../store.ts';
import { readStandsIn } from './stand.ts';

const DAY = 86_400_000;

type Answer = ResponseOf<typeof kostenprognose>;

/** What all calls of the month cost so far, and will have cost; null where too little is known. */
async function readCosts(
  { tx }: Snapshot,
  month: Month,
): Promise<Pick<Answer, 'bisher_eur' | 'prognose_eur'>> {
  const ask = askInRequest(tx);
  const about = { mandant: tx.mandant };
  const inMonth = await totalCostsSince(ask, {
    ...about,
    grain: 'stunde',
    since: [new Date(month.begins).toISOString()],
    until: new Date(month.ends).toISOString(),
  });
  if (!inMonth.bepreist) return { bisher_eur: null, prognose_eur: null };
  const dayBefore = month.now - DAY;
  const lately = await totalCostsSince(ask, {
    ...about,
    grain: 'stunde',
    since: [new Date(dayBefore).toISOString()],
    until: new Date(month.now).toISOString(),
  });
  const [spent = eurFrom('0'), day = eurFrom('0')] = [inMonth, lately].map(
    ({ kosten: [eur = '0'] }): Eur => eurFrom(eur),
  );
  const first = await readFirstCall(tx);
  const isKnown = first !== null && Date.parse(first) <= dayBefore;
  return {
    bisher_eur: eurText(spent),
    prognose_eur: isKnown ? forecastText({ month: spent, day }, month) : null,
  };
}

/** The forecast of all calls, and of how many budgets it is too much. */
export function readForecast(
  context: Pick<ServiceContext, 'db' | 'clock' | 'config' | 'log'>,
  mandant: MandantId,
): Promise<Answer> {
  return withSnapshot(context, mandant, async (snapshot) => {
    const { now, zone, gezaehltBis } = snapshot;
    const month = monthOf(now, zone);
    const window = { von: month.first.toZonedDateTime(zone), bis: month.next.toZonedDateTime(zone) };
    const stands = await readStandsIn(snapshot, month);
    const spent = stands.filter(({ ueberschritten }) => ueberschritten);
    const isTooMuch = (stand: (typeof stands)[number]) =>
      !stand.ueberschritten && eurFrom(stand.prognose_eur) > eurFrom(stand.budget_eur);
    return {
      monat: month.name,
      von: toIsoWithOffset(window.von),
      bis: toIsoWithOffset(window.bis),
      gezaehlt_bis: gezaehltBis,
      ...(await readCosts(snapshot, month)),
      budgets: stands.length,
      ueberschritten: spent.length,
      reichen_nicht: stands.filter(isTooMuch).length,
      kursquellen: await rateSourcesOfAll(snapshot, window),
    };
  });
}
