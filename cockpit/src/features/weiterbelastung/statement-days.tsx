import { lazy, Suspense, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { Abrechnung } from '../../api/types.ts';
import { useFormat } from '../../format/use-format.ts';
import type { ChartData } from '../../ui/chart-data.ts';
import { chartHeight } from '../../ui/chart-data.ts';
import { Panel } from '../../ui/panel.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';

const TimeChart = lazy(async () => ({ default: (await import('../../ui/chart.tsx')).TimeChart }));
const ChartTable = lazy(async () => ({ default: (await import('../../ui/chart-table.tsx')).ChartTable }));

type View = 'diagramm' | 'tabelle';

/** The days of the month; those still to come are a place on the axis and no more. */
function useDays({ tage, zeile }: Abrechnung): ChartData {
  const { t } = useTranslation();
  const format = useFormat();
  const today = format.dayOf(new Date());
  return useMemo(() => {
    const label = t('weiterbelastung.charge');
    return {
      buckets: tage.map(({ tag, aufrufe }) => ({
        key: tag,
        tick: format.day(tag, 'dayTick'),
        title: format.day(tag, 'dayShort'),
        running: tag === today,
        details:
          tag > today ? [] : [{ label: t('weiterbelastung.paper.calls'), value: format.count(aufrufe) }],
      })),
      series: [
        {
          schluessel: zeile.referenz,
          label,
          werte: tage.map(({ tag, betrag_eur }) => (tag > today ? null : betrag_eur)),
        },
      ],
      previous: null,
      kind: 'money',
    };
  }, [tage, zeile.referenz, today, format, t]);
}

interface StatementDaysProps {
  of: Abrechnung;
  view: View;
  onView: (view: View) => void;
}

/** What is charged day by day, as a chart or as the table behind it. */
export function StatementDays({ of, view, onView }: StatementDaysProps) {
  const { t } = useTranslation();
  const days = useDays(of);
  const title = t('weiterbelastung.paper.byDay');
  const options = [
    { value: 'diagramm' as const, label: t('verbrauch.chart') },
    { value: 'tabelle' as const, label: t('verbrauch.table') },
  ];
  const isTable = view === 'tabelle';
  return (
    <Panel
      title={title}
      flush={isTable}
      aside={<Segmented label={t('verbrauch.view')} value={view} options={options} onChange={onView} />}
    >
      <Suspense fallback={<Skeleton lines={1} height={chartHeight} />}>
        {isTable ? (
          <ChartTable
            {...days}
            caption={title}
            bucketName={t('verbrauch.day')}
            csvName={`abrechnung-${of.monat}`}
          />
        ) : (
          <TimeChart {...days} label={title} runningLabel={t('verbrauch.running')} />
        )}
      </Suspense>
    </Panel>
  );
}
