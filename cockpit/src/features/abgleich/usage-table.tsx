import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { withMinus } from '../../format/number.ts';
import { useFormat } from '../../format/use-format.ts';
import { Panel } from '../../ui/panel.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import { type DataColumn, DataTable } from '../../ui/table.tsx';
import { useColumns } from '../../ui/use-columns.tsx';
import { COUNTS, figuresOf, type Measure, type Vergleich, type Vergleichszeile } from './usage-figures.ts';

type Row = Vergleichszeile;

/** How the figures of a measure are written; unknown ones as a dash. */
function useFigureText(measure: Measure) {
  const format = useFormat();
  const signOf = (value: string) => (/^-|^0(\.0*)?$/.test(value) ? '' : '+');
  const text = (value: string | null, currency: string) => {
    if (value === null) return '–';
    return measure === 'kosten' ? format.money(value, currency) : format.decimal(value);
  };
  return {
    inFile: (row: Row) => text(figuresOf(row, measure).datei, row.datei?.waehrung ?? 'USD'),
    counted: (row: Row) => text(figuresOf(row, measure).gezaehlt, 'USD'),
    difference: (row: Row) => {
      const { differenz } = figuresOf(row, measure);
      return differenz === null ? '–' : `${signOf(differenz)}${withMinus(text(differenz, 'USD'))}`;
    },
  };
}

interface ModelCellProps {
  of: Row;
  /** Both sides, where there is no room for their columns. */
  short: string;
}

/** The model, what it was counted as, and what should be known of it. */
function ModelCell({ of: { modell, gezaehlt_als, datei, gezaehlt }, short }: ModelCellProps) {
  const { t } = useTranslation();
  const notes = [
    ...(gezaehlt_als === null ? [] : [t('abgleich.usage.countedAs', { name: gezaehlt_als })]),
    ...(datei === null ? [t('abgleich.usage.notInFile')] : []),
    ...(gezaehlt === null ? [t('abgleich.usage.notCounted')] : []),
    ...(gezaehlt !== null && gezaehlt.unbepreist > 0
      ? [t('abgleich.usage.unpriced', { count: gezaehlt.unbepreist })]
      : []),
  ];
  return (
    <div className="py-1">
      <span className="block font-medium [overflow-wrap:anywhere] @lg:truncate" title={modell ?? undefined}>
        {modell ?? t('abgleich.usage.noModel')}
      </span>
      {notes.map((note) => (
        <span key={note} className="block text-xs text-ink-2 [overflow-wrap:anywhere]">
          {note}
        </span>
      ))}
      <span className="block text-xs text-ink-2 @lg:hidden">{short}</span>
    </div>
  );
}

function useUsageColumns(measure: Measure): DataColumn<Row>[] {
  const { t } = useTranslation();
  const { text } = useColumns();
  const { inFile, counted, difference } = useFigureText(measure);
  const figure = (
    id: keyof ReturnType<typeof figuresOf>,
    header: string,
    write: (row: Row) => string,
  ): DataColumn<Row> => ({
    id,
    header,
    kind: 'decimal',
    value: (row) => figuresOf(row, measure)[id],
    cell: (row) => (
      <span className="whitespace-nowrap" title={figuresOf(row, measure)[id] ?? undefined}>
        {write(row)}
      </span>
    ),
    ...(id === 'differenz' ? {} : { from: 'md' as const }),
  });
  const short = (row: Row) => t('abgleich.usage.short', { file: inFile(row), counted: counted(row) });
  return [
    text('modell', t('abgleich.usage.model'), (row: Row) => row.modell, {
      cell: (row) => <ModelCell of={row} short={short(row)} />,
      grow: true,
    }),
    text('gezaehlt_als', t('abgleich.usage.countedAsColumn'), (row: Row) => row.gezaehlt_als, {
      only: 'file',
    }),
    ...(measure === 'kosten'
      ? [
          text('waehrung', t('abgleich.currency'), (row: Row) => row.datei?.waehrung ?? null, {
            only: 'file',
          }),
        ]
      : []),
    figure('datei', t('abgleich.usage.inFile'), inFile),
    figure('gezaehlt', t('abgleich.counted'), counted),
    figure('differenz', t('abgleich.difference'), difference),
  ];
}

/** Two currencies of a model are two rows. */
const keyOf = ({ modell, datei }: Row) => JSON.stringify([modell, datei?.waehrung]);

/** A provider's file beside what was counted, a row for each model. `action`: what is done with a file of costs. */
export function UsageTable({ of, action }: { of: Vergleich; action: ReactNode }) {
  const { t } = useTranslation();
  const format = useFormat();
  const [count, setCount] = useState<(typeof COUNTS)[number]>('aufrufe');
  const columns = useUsageColumns(of.art === 'kosten' ? 'kosten' : count);
  const title = t(`abgleich.usage.of.${of.art}`, {
    provider: t(`abgleich.usage.provider.${of.anbieter}`),
    month: format.day(`${of.monat}-01`, 'monthLong'),
  });
  const options = COUNTS.map((value) => ({ value, label: t(`abgleich.usage.count.${value}`) }));
  return (
    <Panel
      title={title}
      aside={
        of.art === 'kosten' ? (
          action
        ) : (
          <Segmented
            label={t('abgleich.usage.compared')}
            value={count}
            options={options}
            onChange={setCount}
          />
        )
      }
      flush
    >
      {of.zeilen.length === 0 ? (
        <p className="px-4 pb-4 text-sm text-ink-2">{t('abgleich.usage.nothing')}</p>
      ) : (
        <DataTable
          caption={title}
          columns={columns}
          rows={of.zeilen}
          rowKey={keyOf}
          csvName={`abgleich-${of.anbieter}-${of.monat}`}
        />
      )}
    </Panel>
  );
}
