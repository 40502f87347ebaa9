import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Abgleichzeile } from '../../api/types.ts';
import { withMinus } from '../../format/number.ts';
import { useFormat } from '../../format/use-format.ts';
import { RightIcon } from '../../ui/icons.tsx';
import { Money } from '../../ui/money.tsx';
import { type DataColumn, DataTable } from '../../ui/table.tsx';
import { useColumns } from '../../ui/use-columns.tsx';
import type { OpenDialog } from './invoice-dialogs.tsx';
import { RowDetail } from './row-detail.tsx';

type Row = Abgleichzeile;

const keyOf = ({ monat, anbieter }: Row) => `${monat} ${anbieter ?? ''}`;

interface ProviderCellProps {
  of: Row;
  open: boolean;
  onToggle: () => void;
}

/** Whose row it is; pressed, it opens. Where there is no room for more columns, also what was counted and invoiced. */
function ProviderCell({ of, open, onToggle }: ProviderCellProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const month = format.day(`${of.monat}-01`, 'monthLong');
  const invoiced = of.rechnung_eur === null ? t('abgleich.notInvoiced') : format.money(of.rechnung_eur);
  return (
    <button
      type="button"
      aria-expanded={open}
      onClick={onToggle}
      className="flex w-full items-center gap-1 py-1 text-left after:absolute after:inset-0"
    >
      <RightIcon
        className={`size-3 shrink-0 text-ink-3 motion-safe:transition-transform ${open ? 'rotate-90' : ''}`}
      />
      <span className="min-w-0">
        <span className="block truncate font-medium" title={of.anbieter ?? undefined}>
          {of.anbieter ?? t('abgleich.noProvider')}
        </span>
        <span className="block text-xs text-ink-2 @lg:hidden">
          {month} · {t('abgleich.countedAmount', { amount: format.money(of.kosten_eur) })} ·{' '}
          {t('abgleich.invoicedAmount', { amount: invoiced })}
        </span>
      </span>
    </button>
  );
}

/** The difference in percent with its sign, or nothing where it is not known. */
function usePercentCell(): (row: Row) => string {
  const { t } = useTranslation();
  const format = useFormat();
  return ({ differenz_prozent: value }) => {
    if (value === null) return '–';
    const sign = /^-|^0(\.0*)?$/.test(value) ? '' : '+';
    return t('abgleich.percent', { value: `${sign}${withMinus(format.decimal(value))}` });
  };
}

function useFigureColumns(): DataColumn<Row>[] {
  const { t } = useTranslation();
  const { count, money } = useColumns();
  const percentCell = usePercentCell();
  return [
    count('aufrufe', t('abgleich.calls'), (row: Row) => row.aufrufe, { from: 'xl' }),
    count('unbepreist', t('abgleich.unpriced'), (row: Row) => row.unbepreist, { from: 'xl' }),
    money('gemessen_eur', t('abgleich.measured'), (row: Row) => row.gemessen_eur, { from: 'xl' }),
    money('geschaetzt_eur', t('abgleich.estimated'), (row: Row) => row.geschaetzt_eur, { from: 'xl' }),
    money('kosten_eur', t('abgleich.counted'), (row: Row) => row.kosten_eur, { from: 'md' }),
    money('rechnung_eur', t('abgleich.invoiced'), (row: Row) => row.rechnung_eur, {
      from: 'md',
      cell: (row, amounts) =>
        row.rechnung_eur === null ? (
          <span className="text-xs whitespace-nowrap text-ink-2">{t('abgleich.notInvoiced')}</span>
        ) : (
          <Money className="font-medium" value={row.rechnung_eur} column={amounts} />
        ),
    }),
    money('differenz_eur', t('abgleich.difference'), (row: Row) => row.differenz_eur, {
      style: { signed: true },
      cell: (row, amounts) =>
        row.differenz_eur === null ? (
          <span title={t('abgleich.differenceHint')}>–</span>
        ) : (
          <Money className="font-medium" value={row.differenz_eur} column={amounts} />
        ),
    }),
    {
      id: 'differenz_prozent',
      header: t('abgleich.differencePercent'),
      kind: 'decimal',
      value: (row: Row) => row.differenz_prozent,
      cell: (row) => <span className="whitespace-nowrap">{percentCell(row)}</span>,
      from: 'md',
    },
  ];
}

interface ReconciliationTableProps {
  rows: Row[];
  onOpen: (dialog: OpenDialog) => void;
}

/** A row for each provider in a month; pressed, it shows causes and invoices below it. */
export function ReconciliationTable({ rows, onOpen }: ReconciliationTableProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const { text } = useColumns();
  const figures = useFigureColumns();
  const [open, setOpen] = useState<string | null>(null);
  const columns: DataColumn<Row>[] = useMemo(
    () => [
      text('anbieter', t('abgleich.provider'), (row: Row) => row.anbieter, {
        cell: (row) => (
          <ProviderCell
            of={row}
            open={open === keyOf(row)}
            onToggle={() => setOpen(open === keyOf(row) ? null : keyOf(row))}
          />
        ),
        grow: true,
      }),
      text('monat', t('abgleich.month'), (row: Row) => row.monat, {
        cell: (row) => (
          <span className="whitespace-nowrap">{format.day(`${row.monat}-01`, 'monthLong')}</span>
        ),
        from: 'md',
      }),
      ...figures,
    ],
    [t, format, text, figures, open],
  );
  return (
    <DataTable
      caption={t('abgleich.title')}
      columns={columns}
      rows={rows}
      rowKey={keyOf}
      csvName="abgleich"
      detail={(row) => open === keyOf(row) && <RowDetail of={row} onOpen={onOpen} />}
    />
  );
}
