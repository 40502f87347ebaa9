import { type ReactNode, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../format/use-format.ts';
import { type ChartData, chartHeight, highestOf } from './chart-data.ts';
import { fillsOf } from './chart-fills.tsx';
import { bucketText, Hint } from './chart-hint.tsx';
import { Legend, previousKey } from './chart-legend.tsx';
import { Plot, plotEdges } from './chart-plot.tsx';
import { ChartPointer } from './chart-pointer.tsx';

interface ChartProps extends ChartData {
  label: string;
  runningLabel: string;
  /** Above the picture: sum, average. */
  head?: ReactNode;
  /** Opens one bucket. */
  onSelect?: ((key: string) => void) | undefined;
  /** Opens several in a row, from the first to the last of them. */
  onRange?: ((fromIndex: number, toIndex: number) => void) | undefined;
}

/** What of a chart is hidden by its legend, and which entry of it is pointed at. */
function useShown(data: ChartData) {
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set());
  const [lit, setLit] = useState<string | null>(null);
  const shown: ChartData = {
    ...data,
    series: data.series.filter(({ schluessel }) => !hidden.has(schluessel)),
    previous: hidden.has(previousKey) ? null : data.previous,
  };
  const toggle = (schluessel: string) => {
    setHidden(
      new Set(
        hidden.has(schluessel) ? [...hidden].filter((key) => key !== schluessel) : [...hidden, schluessel],
      ),
    );
  };
  // What is not in the picture cannot stand out in it.
  const standsOut = shown.series.some(({ schluessel }) => schluessel === lit) ? lit : null;
  return { shown, hidden, toggle, lit: standsOut, setLit };
}

/**
 * Columns over time, stacked by series, with the period before as a line; the running bucket is hatched. Give the reader
 * a table of the same values too (`ChartTable`).
 */
export function TimeChart({ label, runningLabel, head, onSelect, onRange, ...data }: ChartProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const id = useId();
  const { shown, hidden, toggle, lit, setLit } = useShown(data);
  const { fillOf, patterns } = fillsOf(id, data.series);
  const axis = format.axis(highestOf(shown), data.kind);
  const select = onSelect && ((index: number) => data.buckets[index] && onSelect(data.buckets[index].key));
  const hasLegend = data.series.length > 1 || data.previous !== null;
  return (
    <>
      <figure aria-label={label}>
        {head}
        {hasLegend && (
          <Legend
            series={data.series}
            hasPrevious={data.previous !== null}
            hidden={hidden}
            fillOf={fillOf}
            onToggle={toggle}
            onLight={setLit}
          />
        )}
        <div className={`relative ${chartHeight}`}>
          <Plot data={shown} axis={axis} fillOf={fillOf} lit={lit} />
          {data.buckets.length > 0 && (
            <ChartPointer
              label={onRange ? `${label}, ${t('chart.keys')}` : label}
              count={data.buckets.length}
              edges={plotEdges(axis)}
              textAt={(index) => bucketText(shown, index, format)}
              hintAt={(index) => (
                <Hint data={shown} index={index} runningLabel={runningLabel} fillOf={fillOf} />
              )}
              onSelect={select}
              onRange={onRange}
            />
          )}
        </div>
      </figure>
      <svg aria-hidden="true" className="absolute size-0">
        {patterns}
      </svg>
    </>
  );
}
