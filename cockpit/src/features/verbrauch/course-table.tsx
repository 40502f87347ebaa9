import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { VerbrauchZeile } from '../../api/types.ts';
import { useReportFormat } from '../../format/use-format.ts';
import { Money } from '../../ui/money.tsx';
import { type DataColumn, DataTable } from '../../ui/table.tsx';
import { figureOf, isMoney, type Measure, measures, textOf } from './measures.ts';
import { useTokenPartColumns } from './tokens.ts';

interface CourseTableProps {
  caption: string;
  rows: VerbrauchZeile[];
  /** Key of the hour or day that is not over yet. */
  running: string | undefined;
  byHour: boolean;
  /** Names the file. */
  zeitraum: string;
  onDay?: ((day: string) => void) | undefined;
}

/** On a phone only what the page asks for first: cost and calls. */
const alwaysShown: Measure[] = ['kosten', 'aufrufe'];

const itself = (row: VerbrauchZeile) => row;

function useFigureColumns(): DataColumn<VerbrauchZeile>[] {
  const { t } = useTranslation();
  const format = useReportFormat();
  const parts = useTokenPartColumns(itself);
  return useMemo(
    () => [
      ...measures.map(
        (measure): DataColumn<VerbrauchZeile> => ({
          id: measure,
          header: measure === 'verbrannt' ? t('verbrauch.burnt') : t(`verbrauch.measure.${measure}`),
          kind: isMoney(measure) ? 'money' : 'count',
          value: (row) => figureOf(row, measure),
          cell: (row, amounts) =>
            isMoney(measure) ? (
              <Money value={figureOf(row, measure)} column={amounts} />
            ) : (
              textOf(row, measure, format)
            ),
          ...(alwaysShown.includes(measure) ? {} : { from: 'md' }),
        }),
      ),
      ...parts,
    ],
    [format, t, parts],
  );
}

/** The table twin of the chart: the same hours or days with every figure. */
export function CourseTable({ caption, rows, running, byHour, zeitraum, onDay }: CourseTableProps) {
  const { t } = useTranslation();
  const format = useReportFormat();
  const figures = useFigureColumns();
  const columns = useMemo(() => {
    const nameOf = ({ schluessel }: VerbrauchZeile) => {
      const name = byHour ? format.instant(schluessel, 'dateTime') : format.day(schluessel, 'dayShort');
      return schluessel === running ? `${name} · ${t('verbrauch.running')}` : name;
    };
    const when: DataColumn<VerbrauchZeile> = {
      id: 'schluessel',
      header: t(byHour ? 'verbrauch.hour' : 'verbrauch.day'),
      kind: 'text',
      value: (row) => row.schluessel,
      cell: (row) =>
        onDay ? (
          <button type="button" className="min-h-6 hover:underline" onClick={() => onDay(row.schluessel)}>
            {nameOf(row)}
          </button>
        ) : (
          nameOf(row)
        ),
    };
    return [when, ...figures];
  }, [figures, byHour, onDay, running, format, t]);
  return (
    <DataTable
      caption={caption}
      columns={columns}
      rows={rows}
      rowKey={(row) => row.schluessel}
      csvName={`verlauf-${zeitraum}`}
    />
  );
}
