import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../format/use-format.ts';
import { type Bucket, type ChartData, type Series, totalAt } from './chart-data.ts';
import { Money } from './money.tsx';
import { type DataColumn, DataTable } from './table.tsx';

interface ChartTableProps extends ChartData {
  caption: string;
  /** Name of the first column: the hour, the day. */
  bucketName: string;
  csvName?: string;
}

type Row = Bucket & { index: number };

/** A column of figures, by where a bucket stands. */
type Figures = Pick<Series, 'schluessel' | 'label' | 'werte'>;

function useFigureColumns({ buckets, series, previous, kind }: ChartData): DataColumn<Row>[] {
  const { t } = useTranslation();
  const format = useFormat();
  return useMemo(() => {
    const total = {
      schluessel: ' summe',
      label: t('chart.total'),
      werte: buckets.map((_, at) => totalAt(series, at)),
    };
    const before = { schluessel: ' vorher', label: t('chart.previous'), werte: previous ?? [] };
    const toColumn = ({ schluessel, label, werte }: Figures, parts: Series[] = []): DataColumn<Row> => ({
      id: schluessel,
      header: label,
      kind,
      value: ({ index }) => werte[index] ?? null,
      cell: ({ index }, amounts) => {
        const value = werte[index] ?? null;
        if (kind === 'count') return format.decimal(value);
        return (
          <Money value={value} column={amounts} parts={parts.map((part) => part.werte[index] ?? null)} />
        );
      },
    });
    return [
      ...series.map((one) => toColumn(one)),
      ...(series.length > 1 ? [toColumn(total, series)] : []),
      ...(previous ? [toColumn(before)] : []),
    ];
  }, [buckets, series, previous, kind, format, t]);
}

/** The table twin of a chart: the same buckets, series and period before, exact and to be saved. */
export function ChartTable({ caption, bucketName, csvName, ...data }: ChartTableProps) {
  const figures = useFigureColumns(data);
  const columns = useMemo(() => {
    const when: DataColumn<Row> = {
      id: ' wann',
      header: bucketName,
      kind: 'text',
      value: ({ title }) => title,
      cell: ({ title }) => <span className="whitespace-nowrap">{title}</span>,
    };
    return [when, ...figures];
  }, [figures, bucketName]);
  const rows = useMemo(() => data.buckets.map((bucket, index) => ({ ...bucket, index })), [data.buckets]);
  return (
    <div className="overflow-x-auto">
      <DataTable
        caption={caption}
        columns={columns}
        rows={rows}
        rowKey={({ key }) => key}
        {...(csvName ? { csvName } : {})}
      />
    </div>
  );
}
