import { useTranslation } from 'react-i18next';
import { type Format, useFormat } from '../format/use-format.ts';
import { type ChartData, totalAt } from './chart-data.ts';
import { PreviousSwatch, Swatch } from './chart-legend.tsx';

const exact = (value: string | null, kind: ChartData['kind'], format: Format) =>
  kind === 'money' ? format.moneyExact(value) : format.decimal(value);

/** A bucket in one line, for listeners. */
export function bucketText({ buckets, series, kind }: ChartData, index: number, format: Format): string {
  return `${buckets[index]?.title ?? ''}: ${exact(totalAt(series, index), kind, format)}`;
}

interface HintProps {
  /** What is shown of the chart: without the series that are hidden. */
  data: ChartData;
  index: number;
  runningLabel: string;
  fillOf: (schluessel: string) => string;
}

/** What a bucket holds: the sum, its parts from the top down, the same bucket of the period before. */
export function Hint({ data, index, runningLabel, fillOf }: HintProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const { buckets, series, previous, kind } = data;
  const bucket = buckets[index];
  if (!bucket) return null;
  const parts = series.length < 2 ? [] : series.toReversed().filter(({ werte }) => Number(werte[index]) > 0);
  const column = format.moneyColumn(parts.map(({ werte }) => werte[index] ?? null));
  const sum = totalAt(series, index);
  const total = exact(sum, kind, format);
  const rounded = kind === 'money' ? format.money(sum) : total;
  const textOf = (value: string | null) => (kind === 'money' ? column.text(value) : format.decimal(value));
  return (
    <div className="rounded-lg border bg-surface px-3 py-2 text-xs shadow-float">
      <p className="text-ink-3">
        {bucket.title}
        {bucket.running && ` · ${runningLabel}`}
      </p>
      <p className="mt-0.5 text-base font-semibold">{rounded}</p>
      {total !== rounded && <p className="text-ink-3">{total}</p>}
      {parts.map(({ schluessel, label, werte }) => (
        <p key={schluessel} className="flex items-center gap-1.5 text-ink-2">
          <Swatch fill={fillOf(schluessel)} />
          <span className="min-w-0 grow truncate">{label}</span>
          <span>{textOf(werte[index] ?? null)}</span>
        </p>
      ))}
      {previous && (
        <p className="flex items-center gap-1.5 text-ink-2">
          <PreviousSwatch />
          <span className="min-w-0 grow">{t('chart.previous')}</span>
          <span>
            {kind === 'money'
              ? format.money(previous[index] ?? null)
              : format.decimal(previous[index] ?? null)}
          </span>
        </p>
      )}
      {bucket.details?.map((detail) => (
        <p key={detail.label} className="flex justify-between gap-6 text-ink-2">
          <span>{detail.label}</span>
          <span>{detail.value}</span>
        </p>
      ))}
    </div>
  );
}
