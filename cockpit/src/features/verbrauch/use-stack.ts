/** The course of a period, divided by the values of a dimension that cost most. */
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { verbrauchQuery } from '../../api/queries.ts';
import type { Verbrauch } from '../../api/types.ts';
import type { Series } from '../../ui/chart-data.ts';
import type { Course } from './buckets.ts';
import { figureOf, type Measure } from './measures.ts';
import { useNameOf } from './use-names.ts';
import type { View } from './use-view.ts';
import type { DimensionName } from './view.ts';

/** As many colours can be told apart. */
const most = 8;

/** What to stack by, of what a page looks at. */
export interface Stack extends Pick<View, 'zeitraum' | 'von' | 'bis' | 'werte'> {
  by: DimensionName | undefined;
  /** The dimension of the filter: there is nothing to divide by it. */
  filtered: DimensionName | undefined;
}

type Teile = NonNullable<Verbrauch['teile']>;

/** One series for each value, in the order of their cost, and one for all others. */
function toSeries(
  { zeilen, teile }: { zeilen: Verbrauch['zeilen']; teile: Teile },
  { verlauf }: Course,
  measure: Measure,
  nameOf: (value: string | null) => string,
): Series[] {
  const parts = Map.groupBy(teile, ({ schluessel }) => schluessel);
  const keys: (string | null)[] = zeilen.map(({ schluessel }) => schluessel);
  if (parts.has(null)) keys.push(null);
  return keys.map((key) => {
    const at = new Map((parts.get(key) ?? []).map((part) => [part.teil, figureOf(part, measure)]));
    return {
      // Values are free texts: none of them is taken for the rest.
      schluessel: key === null ? 'rest' : `wert ${key}`,
      label: nameOf(key),
      werte: verlauf.map(({ schluessel }) => at.get(schluessel) ?? null),
      ...(key === null ? { rest: true } : {}),
    };
  });
}

/** The series of the chart; null while they are not asked for, or not there yet. */
export function useStack(stack: Stack, course: Course, measure: Measure): Series[] | null {
  const { t } = useTranslation();
  const { by, zeitraum, von, bis, werte } = stack;
  const nameOf = useNameOf(zeitraum);
  const { data } = useQuery({
    ...verbrauchQuery({
      gruppe: by ?? 'modell',
      teilung: course.aufloesung,
      von,
      bis,
      limit: most,
      ...werte,
    }),
    enabled: by !== undefined,
  });
  return useMemo(() => {
    if (by === undefined || !data?.teile) return null;
    const { zeilen, teile } = data;
    return toSeries({ zeilen, teile }, course, measure, (value) =>
      value === null ? t('ansicht.others') : nameOf(by, value),
    );
  }, [by, data, course, measure, nameOf, t]);
}
