import { lazy, Suspense, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { VerbrauchZeile } from '../../api/types.ts';
import { unknown } from '../../format/number.ts';
import { type Format, useFormat } from '../../format/use-format.ts';
import type { Bucket } from '../../ui/chart.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { type Course, hoursToCome, runningKey } from './buckets.ts';
import { figureOf, isMoney, type Measure, textOf } from './measures.ts';

// The chart library is the heaviest part of the cockpit and not needed to read the figures.
const TimeChart = lazy(async () => ({ default: (await import('../../ui/chart.tsx')).TimeChart }));

// The same figures for those who want to read them one by one.
const CourseTable = lazy(async () => ({ default: (await import('./course-table.tsx')).CourseTable }));

export type View = 'diagramm' | 'tabelle';

interface CoursePanelProps {
  course: Course;
  measure: Measure;
  view: View;
  onView: (view: View) => void;
  /** Opens a single day. */
  onDay: (day: string) => void;
}

function titleOf(key: string, byHour: boolean, format: Format): string {
  if (!byHour) return format.day(key, 'dayShort');
  const end = new Date(new Date(key).getTime() + 3_600_000);
  return `${format.instant(key, 'dayTimeShort')}–${format.instant(end, 'time')}`;
}

function toBucket(row: VerbrauchZeile, measure: Measure, byHour: boolean, format: Format): Bucket {
  const { schluessel: key } = row;
  const value = figureOf(row, measure);
  return {
    key,
    tick: byHour ? format.instant(key, 'time') : format.day(key, 'dayTick'),
    title: titleOf(key, byHour, format),
    // A float is good enough for the height of a bar; the text carries the exact value.
    value: value === null ? null : Number(value),
    text: isMoney(measure) ? format.moneyExact(value) : textOf(row, measure, format),
    running: false,
    details: [],
  };
}

/** An hour that has not begun: a place on the axis and no more. */
const toEmpty = (key: string, format: Format): Bucket => ({
  key,
  tick: format.instant(key, 'time'),
  title: titleOf(key, true, format),
  value: null,
  text: unknown,
  running: false,
  details: [],
});

function useBuckets(course: Course, measure: Measure, running: string | undefined): Bucket[] {
  const { t } = useTranslation();
  const format = useFormat();
  return useMemo(() => {
    const begun = course.verlauf.map((row) => ({
      ...toBucket(row, measure, course.aufloesung === 'stunde', format),
      running: row.schluessel === running,
      details:
        measure === 'aufrufe'
          ? []
          : [{ label: t('verbrauch.measure.aufrufe'), value: format.count(row.aufrufe) }],
    }));
    return [...begun, ...hoursToCome(course).map((key) => toEmpty(key, format))];
  }, [course, measure, running, format, t]);
}

/** A figure over the hours or days of the period, as a chart or as the table behind it. */
export function CoursePanel({ course, measure, view, onView, onDay }: CoursePanelProps) {
  const { t } = useTranslation();
  const byHour = course.aufloesung === 'stunde';
  const running = runningKey(course, new Date());
  const title = t(byHour ? 'verbrauch.perHour' : 'verbrauch.perDay', {
    measure: t(`verbrauch.measure.${measure}`),
  });
  const options = [
    { value: 'diagramm' as const, label: t('verbrauch.chart') },
    { value: 'tabelle' as const, label: t('verbrauch.table') },
  ];
  const drillDown = byHour ? undefined : onDay;
  return (
    <Panel
      title={title}
      flush={view === 'tabelle'}
      aside={<Segmented label={t('verbrauch.view')} value={view} options={options} onChange={onView} />}
    >
      {view === 'tabelle' ? (
        <Suspense fallback={<Skeleton lines={1} height="h-56" />}>
          <CourseTable
            caption={title}
            rows={course.verlauf}
            running={running}
            byHour={byHour}
            onDay={drillDown}
          />
        </Suspense>
      ) : (
        <CourseChart title={title} course={course} measure={measure} running={running} onDay={drillDown} />
      )}
    </Panel>
  );
}

interface CourseChartProps {
  title: string;
  course: Course;
  measure: Measure;
  running: string | undefined;
  onDay: ((day: string) => void) | undefined;
}

function CourseChart({ title, course, measure, running, onDay }: CourseChartProps) {
  const { t } = useTranslation();
  const buckets = useBuckets(course, measure, running);
  return (
    <Suspense fallback={<Skeleton lines={1} height="h-56" />}>
      <TimeChart
        label={title}
        buckets={buckets}
        kind={isMoney(measure) ? 'money' : 'count'}
        runningLabel={t('verbrauch.running')}
        onSelect={onDay}
      />
      {running !== undefined && (
        <p className="mt-1 flex items-center gap-1.5 text-2xs text-ink-3">
          <span className="hatched size-2.5 rounded-[2px]" />
          {t(course.aufloesung === 'stunde' ? 'verbrauch.runningHour' : 'verbrauch.runningDay')}
        </p>
      )}
    </Suspense>
  );
}
