/** What is out of the ordinary in a period. */
import { type cockpitAuffaelliges, type DimensionName, MAX_OF_A_KIND, type ResponseOf } from '#contracts';
import { type Lauf, readRuns, toApi as toLauf } from '#domains/laeufe/index.ts';
import type { MandantId } from '#kernel/mandant-id.ts';
import { toUtc, type Window, wholeHours, type Zeitraum } from '#kernel/zeitraum.ts';
import type { EngineConsumption } from '../engine/consumption-by-engine.ts';
import type { SumsRow } from '../groups.ts';
import { type Compared, isBurst, isDear, jumpOf, usualCost } from '../ordinary.ts';
import { toSumme } from '../rules.ts';
import type { Stand } from '../store/stand.ts';
import { periodAnswer, requireZeitraum } from './cockpit.ts';
import { type Context, type Snapshot, withSnapshot } from './snapshot.ts';

type Answer = ResponseOf<typeof cockpitAuffaelliges>;
type Entry = Answer['eintraege'][number];

/** Values looked at: those that cost most. */
const VALUES = 200;
const WEEKS = 4;
/** Of these a jump has somebody who can do something about it. */
const JUMPING: readonly DimensionName[] = ['agent', 'endkunde', 'modell'];

/** The times a period is compared with: of a day the same weekday in the weeks before, else the period before. */
function comparedWith({ von, bis, vorher }: Zeitraum): Window[] {
  const isDay = von.add({ days: 1 }).equals(bis);
  if (!isDay) return [wholeHours(vorher)].filter((window) => !window.von.equals(window.bis));
  // As far as the day has gone, like the day before it.
  const elapsed = vorher.von.until(vorher.bis, { largestUnit: 'hours' });
  return Array.from({ length: WEEKS }, (_, week) => {
    const start = von.subtract({ weeks: week + 1 });
    return wholeHours({ von: start, bis: start.add(elapsed) });
  }).filter((window) => !window.von.equals(window.bis));
}

/** Whether there were figures from the first day of a time on: of a part of it nothing could be said to have grown. */
const isCovered = ({ von }: Window, { daten_von }: Stand): boolean =>
  daten_von !== null &&
  Temporal.Instant.compare(Temporal.Instant.from(daten_von), von.add({ days: 1 }).toInstant()) < 0;

const questionsOf = (window: Window, times: Window[], by: DimensionName) =>
  [window, ...times].map((each, index) => ({ window: each, by: [by], limit: index === 0 ? VALUES : 1_000 }));

/** The values of the period, each with what it was in the times that it is compared with. */
function compare([now, ...before]: EngineConsumption[]): Compared[] {
  // A week without a single call is no week to compare with.
  const known = before.filter(({ summe }) => summe.aufrufe !== '0');
  const maps = known.map(({ zeilen }) => new Map(zeilen.map((row) => [row.schluessel[0], row])));
  return (now?.zeilen ?? []).map(({ schluessel: [schluessel = ''], ...row }) => ({
    schluessel,
    now: row,
    before: maps.map((map): SumsRow | null => map.get(schluessel) ?? null),
  }));
}

/** The sum of the period, and its values by what a jump may be of. */
async function readCompared({ askAll }: Snapshot, window: Window, times: Window[]) {
  const [whole, ...answers] = await askAll([
    { window, by: [] },
    ...JUMPING.flatMap((by) => questionsOf(window, times, by)),
  ]);
  const each = 1 + times.length;
  const compared = JUMPING.map(
    (by, index) => [by, compare(answers.slice(index * each, (index + 1) * each))] as const,
  );
  return { summe: (whole as EngineConsumption).summe, compared: new Map(compared) };
}

function entryOf(art: Entry['art'], merkmal: DimensionName, { schluessel, now, before }: Compared): Entry {
  const { aufrufe, fehler, unbepreist, kosten_eur } = toSumme(now);
  return {
    art,
    merkmal,
    schluessel,
    lauf: null,
    aufrufe,
    fehler,
    unbepreist,
    kosten_eur,
    ueblich_eur: usualCost(before),
  };
}

const ofRun = (lauf: Lauf): Entry => ({
  art: 'teurer_lauf',
  merkmal: null,
  schluessel: null,
  lauf,
  aufrufe: lauf.aufrufe,
  fehler: lauf.fehler,
  unbepreist: lauf.unbepreist,
  kosten_eur: lauf.kosten_eur,
  ueblich_eur: null,
});

const costOf = ({ kosten_eur }: Entry) => Number(kosten_eur ?? 0);

/** What is out of the ordinary in the period, most expensive first. InvalidInput when `text` names no period. */
export function extraordinary(context: Context, mandant: MandantId, text: string): Promise<Answer> {
  return withSnapshot(context, mandant, async (snapshot) => {
    const { tx } = snapshot;
    const window = requireZeitraum(text, snapshot);
    const times = comparedWith(window).filter((time) => isCovered(time, snapshot.stand));
    const { summe, compared } = await readCompared(snapshot, window, times);
    // Calls without an end customer are nobody's.
    const all = [...compared].flatMap(([by, values]) =>
      values
        .filter(({ schluessel }) => by !== 'endkunde' || schluessel !== '')
        .map((value) => ({ by, value })),
    );

    const jumps = all
      .map(({ by, value }) => ({ by, value, more: jumpOf(value, summe.kosten_eur) }))
      .filter(({ more }) => more !== null)
      .sort((one, other) => (other.more ?? 0) - (one.more ?? 0));
    const bursts = all
      .filter(({ by, value }) => by !== 'endkunde' && isBurst(value))
      .sort((one, other) => Number(other.value.now.fehler) - Number(one.value.now.fehler));
    const unpriced = (compared.get('modell') ?? [])
      .filter(({ now }) => now.unbepreist !== '0')
      .sort((one, other) => Number(other.now.unbepreist) - Number(one.now.unbepreist));
    const runs = await readRuns(
      tx,
      { von: toUtc(window.von), bis: toUtc(window.bis) },
      { sort: 'kosten', descending: true },
      MAX_OF_A_KIND,
    );

    const first = <T>(items: T[]) => items.slice(0, MAX_OF_A_KIND);
    const dear = [
      ...first(jumps).map(({ by, value }) => entryOf('kostensprung', by, value)),
      ...runs.filter((run) => isDear(run.kosten_eur, summe.kosten_eur)).map((run) => ofRun(toLauf(run))),
    ].sort((one, other) => costOf(other) - costOf(one));
    return {
      ...periodAnswer(text, window),
      eintraege: [
        ...dear,
        ...first(bursts).map(({ by, value }) => entryOf('fehlerhaeufung', by, value)),
        ...first(unpriced).map((value) => entryOf('unbepreist', 'modell', value)),
      ],
      gezaehlt_bis: snapshot.gezaehltBis,
    };
  });
}
