/** What a week consumed. */
import { REPORT_AGENTS, REPORT_MODELS, WEEKS_BEFORE } from '#contracts';
import {
  fillBuckets,
  rateSources,
  type Snapshot,
  type SumsRow,
  toRest,
  toSumme,
  toZeile,
} from '#domains/verbrauch/index.ts';
import { toCount } from '#kernel/count.ts';
import type { Window } from '#kernel/zeitraum.ts';
import { meanOf, type Report, weekName, windowOf } from '../rules.ts';
import { namesOf, readChangesOf } from './changes.ts';

/** Without a call nothing was spent: that is known. */
const costOf = ({ aufrufe, kosten_eur }: SumsRow): string | null => (aufrufe === '0' ? '0' : kosten_eur);

/** The weeks before, the latest first, as far back as there were calls. */
async function readBefore(snapshot: Snapshot, monday: Temporal.PlainDate) {
  const { daten_von } = snapshot.stand;
  const mondays = Array.from({ length: WEEKS_BEFORE }, (_, index) => monday.subtract({ weeks: index + 1 }));
  const known = mondays.filter((each) => {
    const end = windowOf(each, snapshot.zone).bis.toInstant();
    return daten_von !== null && Temporal.Instant.compare(end, Temporal.Instant.from(daten_von)) > 0;
  });
  const sums = await Promise.all(
    known.map((each) => snapshot.ask({ window: windowOf(each, snapshot.zone), by: [] })),
  );
  return known.map((each, index) => ({ monday: each, summe: sums[index]?.summe as SumsRow }));
}

type Week = Awaited<ReturnType<typeof readBefore>>[number];

const toCompared = (latest: Week | undefined): Report['vorwoche'] =>
  latest
    ? {
        woche: weekName(latest.monday),
        aufrufe: toCount(latest.summe.aufrufe),
        kosten_eur: costOf(latest.summe),
        verbranntes_geld_eur: latest.summe.verbranntes_geld_eur ?? '0',
      }
    : null;

function toMean(weeks: Week[]): Report['mittel'] {
  const known = weeks.map(({ summe }) => costOf(summe)).filter((cost) => cost !== null);
  const kosten_eur = meanOf(known);
  return kosten_eur === null ? null : { wochen: known.length, kosten_eur };
}

const MODELS_READ = 1_000;

async function readUnpriced({ ask }: Snapshot, window: Window): Promise<Report['unbepreiste_modelle']> {
  const { zeilen } = await ask({ window, by: ['modell'], limit: MODELS_READ });
  return zeilen
    .filter(({ unbepreist }) => unbepreist !== '0')
    .sort((a, b) => Number(b.unbepreist) - Number(a.unbepreist))
    .slice(0, REPORT_MODELS)
    .map(({ schluessel: [modell = ''], unbepreist }) => ({ modell, unbepreist: toCount(unbepreist) }));
}

/** What the week consumed, beside the weeks before it. */
export async function readConsumed(snapshot: Snapshot, monday: Temporal.PlainDate) {
  const { ask, now, zone } = snapshot;
  const window = windowOf(monday, zone);
  const [days, agents, weeks] = [
    await ask({ window, by: ['tag'] }),
    await ask({ window, by: ['agent'], limit: REPORT_AGENTS }),
    await readBefore(snapshot, monday),
  ];
  const names = await namesOf(
    snapshot,
    agents.zeilen.flatMap(({ schluessel }) => schluessel),
  );
  const latest = weeks[0];
  return {
    summe: toSumme(days.summe),
    kursquellen: await rateSources(snapshot.tx, window, days.summe),
    vorwoche: toCompared(latest),
    mittel: toMean(weeks),
    tage: fillBuckets({ ...window, aufloesung: 'tag' }, days.zeilen, now),
    agenten: agents.zeilen.map(({ schluessel: [agent = ''], ...row }) => ({
      ...toZeile(agent, row),
      name: names.get(agent) ?? null,
    })),
    agenten_rest: toRest(agents.rest),
    aenderungen: await readChangesOf(snapshot, monday, latest === undefined),
    unbepreiste_modelle: days.summe.unbepreist === '0' ? [] : await readUnpriced(snapshot, window),
  };
}
