/** Two groupings at once: the groups of an answer, each divided by time or by another dimension. */
import { type Gruppe, MAX_DIVIDED, MAX_DIVIDED_DAYS, type Static, type Verbrauch } from '#contracts';
import type { Sentence } from '#kernel/sentence.ts';
import type { Window } from '#kernel/zeitraum.ts';
import { courses } from '../courses.ts';
import type { EngineConsumption, ValuesFilter } from '../engine/consumption-by-engine.ts';
import { isTime } from '../engine/question.ts';
import { hourKey, toFigures } from '../rules.ts';
import type { Snapshot } from './snapshot.ts';

type By = Static<typeof Gruppe>;
type Teil = NonNullable<Static<typeof Verbrauch>['teile']>[number];

/** What is divided by what. */
export interface Division {
  window: Window;
  by: By;
  teilung: By;
  where: readonly ValuesFilter[];
}

/** Why groups cannot be divided like this; null when they can. */
export function divisionFault({ window: { von, bis }, by, teilung, where }: Division): Sentence | null {
  if (isTime(by))
    return {
      de: 'Tage und Stunden werden nicht weiter geteilt',
      en: 'days and hours are not divided further',
    };
  if (teilung === by)
    return {
      de: 'geteilt wird nach etwas anderem als dem, wonach gruppiert wird',
      en: 'groups are divided by something else than they are grouped by',
    };
  if (!isTime(teilung)) {
    if (where.length === 0) return null;
    return {
      de: 'gefilterte Aufrufe werden nach Tag oder Stunde geteilt, nicht nach einem dritten Merkmal',
      en: 'filtered calls are divided by day or hour, not by a third dimension',
    };
  }
  const most = MAX_DIVIDED_DAYS[teilung];
  const days = von.until(bis, { largestUnit: 'days' }).total({ unit: 'days', relativeTo: von });
  if (days <= most) return null;
  return {
    de: `nach ${teilung} werden höchstens ${most} Tage geteilt`,
    en: `by ${teilung} ${most} days are divided at most`,
  };
}

/** Each group by time; the others of the window together are the rest. */
async function byTime(
  { tx, engine, zone }: Snapshot,
  { window, by, where }: Division,
  keys: string[],
  bucket: 'tag' | 'stunde',
): Promise<Teil[]> {
  if (isTime(by)) return [];
  const rows = await courses(engine, tx, { window, by, where }, keys, bucket);
  return rows.map(({ schluessel, bucket: at, ...sums }) => ({
    schluessel,
    teil: bucket === 'stunde' ? hourKey(at, zone) : at,
    ...toFigures(sums),
  }));
}

/** Each group by another dimension, what cost most first; the rest of the groups stays whole. */
async function byValue(
  { askAll }: Snapshot,
  { window, by }: Division,
  keys: string[],
  teilung: Exclude<By, 'tag' | 'stunde'>,
  rest: EngineConsumption['rest'],
): Promise<Teil[]> {
  if (isTime(by)) return [];
  const whereOf = (value: string) => [{ dimension: by, values: [value] }];
  const answers = await askAll(
    keys.map((key) => ({ window, by: [teilung], where: whereOf(key), limit: MAX_DIVIDED })),
  );
  const teile = answers.flatMap(({ zeilen, rest: others }, index): Teil[] => {
    const schluessel = keys[index] as string;
    const shown = zeilen.map(({ schluessel: [teil = ''], ...row }) => ({
      schluessel,
      teil,
      ...toFigures(row),
    }));
    return others ? [...shown, { schluessel, teil: null, ...toFigures(others) }] : shown;
  });
  return rest ? [...teile, { schluessel: null, teil: null, ...toFigures(rest) }] : teile;
}

/** The groups of an answer with these keys, divided. */
export function divided(
  snapshot: Snapshot,
  division: Division,
  { keys, rest }: { keys: string[]; rest: EngineConsumption['rest'] },
): Promise<Teil[]> {
  const { teilung } = division;
  return isTime(teilung)
    ? byTime(snapshot, division, keys, teilung)
    : byValue(snapshot, division, keys, teilung, rest);
}
