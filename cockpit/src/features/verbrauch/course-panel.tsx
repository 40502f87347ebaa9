import { lazy, Suspense, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { VerbrauchZeile } from '../../api/types.ts';
import { sumDecimals } from '../../format/decimal.ts';
import { type Format, useFormat, useReportFormat } from '../../format/use-format.ts';
import { type Bucket, chartHeight, type Series } from '../../ui/chart-data.ts';
import { SelectField } from '../../ui/field.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { type Course, hoursToCome, runningKey } from './buckets.ts';
import { figureOf, isMoney, type Measure } from './measures.ts';
import { type Stack, useStack } from './use-stack.ts';
import { DIMENSION_NAMES, type DimensionName } from './view.ts';

// It is not needed to read the figures.
const TimeChart = lazy(async () => ({ default: (await import('../../ui/chart.tsx')).TimeChart }));

// The same figures for those who want to read them one by one.
const CourseTable = lazy(async () => ({ default: (await import('./course-table.tsx')).CourseTable }));

type CourseView = 'diagramm' | 'tabelle';

interface CoursePanelProps {
  course: Course & { zeitraum: string };
  /** The period before, bucket beside bucket; null where nothing is compared. */
  before: VerbrauchZeile[] | null;
  measure: Measure;
  view: CourseView;
  onView: (view: CourseView) => void;
  /** Shows these days, both included. */
  onDays: (first: string, last: string) => void;
  stack: Stack;
  onStack: (dimension: DimensionName | undefined) => void;
}

function titleOf(key: string, byHour: boolean, format: Format): string {
  if (!byHour) return format.day(key, 'dayShort');
  const end = new Date(new Date(key).getTime() + 3_600_000);
  return `${format.instant(key, 'dayTimeShort')}–${format.instant(end, 'time')}`;
}

const toBucket = (key: string, byHour: boolean, format: Format): Bucket => ({
  key,
  tick: byHour ? format.instant(key, 'time') : format.day(key, 'dayTick'),
  title: titleOf(key, byHour, format),
});

function useBuckets(course: Course, measure: Measure, running: string | undefined): Bucket[] {
  const { t } = useTranslation();
  const format = useReportFormat();
  return useMemo(() => {
    const begun = course.verlauf.map((row) => ({
      ...toBucket(row.schluessel, course.aufloesung === 'stunde', format),
      running: row.schluessel === running,
      details:
        measure === 'aufrufe'
          ? []
          : [{ label: t('verbrauch.measure.aufrufe'), value: format.count(row.aufrufe) }],
    }));
    // An hour that has not begun is a place on the axis and no more.
    return [...begun, ...hoursToCome(course).map((key) => toBucket(key, true, format))];
  }, [course, measure, running, format, t]);
}

/** What the chart is stacked by. */
function StackField({ stack, onStack }: Pick<CoursePanelProps, 'stack' | 'onStack'>) {
  const { t } = useTranslation();
  const options = DIMENSION_NAMES.filter((name) => name !== stack.filtered).map((value) => ({
    value: value as string,
    label: t('ansicht.stackBy', { merkmal: t(`ansicht.merkmal.${value}`) }),
  }));
  return (
    <div className="w-40 max-sm:w-32">
      <SelectField
        label={t('ansicht.stack')}
        hideLabel
        value={stack.by ?? ''}
        options={[{ value: '', label: t('ansicht.stackNone') }, ...options]}
        onChange={(value) => onStack(DIMENSION_NAMES.find((name) => name === value))}
      />
    </div>
  );
}

/** A figure over the hours or days of the period, as a chart or as the table behind it. */
export function CoursePanel(props: CoursePanelProps) {
  const { course, measure, view, onView, onDays, stack, onStack } = props;
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
  return (
    <Panel
      title={title}
      flush={view === 'tabelle'}
      aside={
        <div className="flex items-center gap-2">
          {view === 'diagramm' && <StackField stack={stack} onStack={onStack} />}
          <Segmented label={t('verbrauch.view')} value={view} options={options} onChange={onView} />
        </div>
      }
    >
      {view === 'tabelle' ? (
        <Suspense fallback={<Skeleton lines={1} height="h-56" />}>
          <CourseTable
            caption={title}
            rows={course.verlauf}
            running={running}
            byHour={byHour}
            zeitraum={course.zeitraum}
            onDay={byHour ? undefined : (day) => onDays(day, day)}
          />
        </Suspense>
      ) : (
        <CourseChart {...props} title={title} running={running} />
      )}
    </Panel>
  );
}

interface CourseChartProps extends CoursePanelProps {
  title: string;
  running: string | undefined;
}

/** The bars: one colour for all calls, or one for each of the values that cost most. */
function useSeries({ course, measure, stack }: CourseChartProps): Series[] {
  const { t } = useTranslation();
  const stacked = useStack(stack, course, measure);
  return useMemo(() => {
    if (stacked) return stacked;
    const werte = course.verlauf.map((row) => figureOf(row, measure));
    return [{ schluessel: measure, label: t(`verbrauch.measure.${measure}`), werte }];
  }, [stacked, course, measure, t]);
}

function CourseChart(props: CourseChartProps) {
  const { title, course, before, measure, running, onDays } = props;
  const { t } = useTranslation();
  const buckets = useBuckets(course, measure, running);
  const series = useSeries(props);
  const byHour = course.aufloesung === 'stunde';
  const previous = useMemo(
    () => before && buckets.map((_, index) => (before[index] ? figureOf(before[index], measure) : null)),
    [before, buckets, measure],
  );
  const dayAt = (index: number) => buckets[index]?.key ?? '';
  return (
    <Suspense fallback={<Skeleton lines={1} height={chartHeight} />}>
      <TimeChart
        label={title}
        buckets={buckets}
        series={series}
        previous={previous}
        kind={isMoney(measure) ? 'money' : 'count'}
        head={<Head course={course} measure={measure} />}
        runningLabel={t('verbrauch.running')}
        onSelect={byHour ? undefined : (day) => onDays(day, day)}
        onRange={byHour ? undefined : (from, to) => onDays(dayAt(from), dayAt(to))}
      />
      {running !== undefined && (
        <p className="mt-1 flex items-center gap-1.5 text-2xs text-ink-3">
          <span className="hatched size-2.5 rounded-[2px]" />
          {t(byHour ? 'verbrauch.runningHour' : 'verbrauch.runningDay')}
        </p>
      )}
    </Suspense>
  );
}

/** What all of it comes to, and what each hour or day does on average. */
function Head({ course, measure }: { course: Course; measure: Measure }) {
  const { t } = useTranslation();
  const format = useFormat();
  const sum = sumDecimals(course.verlauf.map((row) => figureOf(row, measure)));
  // An average is a guide, not an amount: a float is good enough.
  const average = Number(sum ?? 0) / Math.max(course.verlauf.length, 1);
  const text = (value: string | null) =>
    isMoney(measure) ? format.money(value) : format.countShort(Number(value ?? 0));
  return (
    <p className="text-xs text-ink-2">
      {t('ansicht.total', {
        total: text(sum),
        average: text(isMoney(measure) ? average.toFixed(6) : String(Math.round(average))),
      })}
    </p>
  );
}
