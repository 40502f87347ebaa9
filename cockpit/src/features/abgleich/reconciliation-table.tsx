import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { readWhole } from '../../api/make-query.ts';
import type { Abgleichsumme, Abgleichzeile } from '../../api/types.ts';
import { withMinus } from '../../format/number.ts';
import { useFormat } from '../../format/use-format.ts';
import { RightIcon } from '../../ui/icons.tsx';
import { Money } from '../../ui/money.tsx';
import { type DataColumn, DataTable } from '../../ui/table.tsx';
import { useColumns } from '../../ui/use-columns.tsx';
import type { OpenDialog } from './invoice-dialogs.tsx';
import { isSum, type Line, linesOf } from './lines.ts';
import { RowDetail } from './row-detail.tsx';

const keyOf = (line: Line) => (isSum(line) ? line.monat : `${line.monat} ${line.anbieter ?? ''}`);

/** Where there is no room for more columns: the month, what was counted and invoiced. */
function Narrow({ of }: { of: Line }) {
  const { t } = useTranslation();
  const format = useFormat();
  const invoiced = of.rechnung_eur === null ? t('abgleich.notInvoiced') : format.money(of.rechnung_eur);
  return (
    <span className="block text-xs text-ink-2 @lg:hidden">
      {format.day(`${of.monat}-01`, 'monthLong')} ·{' '}
      {t('abgleich.countedAmount', { amount: format.money(of.kosten_eur) })} ·{' '}
      {t('abgleich.invoicedAmount', { amount: invoiced })}
    </span>
  );
}

/** All providers of a month; of how many the difference is, and what has no invoice. */
function SumCell({ of }: { of: Abgleichsumme }) {
  const { t } = useTranslation();
  const format = useFormat();
  const notes = [
    ...(of.verglichen > 0 && of.verglichen < of.anbieter
      ? [t('abgleich.sumCompared', { count: of.verglichen, all: of.anbieter })]
      : []),
    ...(of.ohne_rechnung > 0
      ? [t('abgleich.sumOpen', { count: of.ohne_rechnung, amount: format.money(of.ohne_rechnung_eur) })]
      : []),
  ];
  return (
    <span className="block py-1">
      <span className="block font-semibold">{t('abgleich.sum')}</span>
      <Narrow of={of} />
      {notes.map((note) => (
        <span key={note} className="block text-xs text-ink-2">
          {note}
        </span>
      ))}
    </span>
  );
}

interface ProviderCellProps {
  of: Abgleichzeile;
  open: boolean;
  onToggle: () => void;
}

/** Whose row it is; pressed, it opens. */
function ProviderCell({ of, open, onToggle }: ProviderCellProps) {
  const { t } = useTranslation();
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
        <Narrow of={of} />
      </span>
    </button>
  );
}

/** The difference in percent with its sign, or nothing where it is not known. */
function usePercentCell(): (row: Line) => string {
  const { t } = useTranslation();
  const format = useFormat();
  return ({ differenz_prozent: value }) => {
    if (value === null) return '–';
    const sign = /^-|^0(\.0*)?$/.test(value) ? '' : '+';
    return t('abgleich.percent', { value: `${sign}${withMinus(format.decimal(value))}` });
  };
}

function useFigureColumns(): DataColumn<Line>[] {
  const { t } = useTranslation();
  const { count, money } = useColumns();
  const percentCell = usePercentCell();
  return [
    count('aufrufe', t('abgleich.calls'), (row: Line) => row.aufrufe, { from: 'xl' }),
    count('unbepreist', t('abgleich.unpriced'), (row: Line) => row.unbepreist, { from: 'xl' }),
    money('gemessen_eur', t('abgleich.measured'), (row: Line) => row.gemessen_eur, { from: 'xl' }),
    money('geschaetzt_eur', t('abgleich.estimated'), (row: Line) => row.geschaetzt_eur, { from: 'xl' }),
    money('kosten_eur', t('abgleich.counted'), (row: Line) => row.kosten_eur, { from: 'md' }),
    money('rechnung_eur', t('abgleich.invoiced'), (row: Line) => row.rechnung_eur, {
      from: 'md',
      cell: (row, amounts) =>
        row.rechnung_eur === null ? (
          <span className="text-xs whitespace-nowrap text-ink-2">{t('abgleich.notInvoiced')}</span>
        ) : (
          <Money className="font-medium" value={row.rechnung_eur} column={amounts} />
        ),
    }),
    money('differenz_eur', t('abgleich.difference'), (row: Line) => row.differenz_eur, {
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
      value: (row: Line) => row.differenz_prozent,
      cell: (row) => <span className="whitespace-nowrap">{percentCell(row)}</span>,
      from: 'md',
    },
  ];
}

/** A column that writes the figures of sums as such. */
const withSums = (column: DataColumn<Line>): DataColumn<Line> => ({
  ...column,
  cell: (line, amounts) =>
    isSum(line) ? (
      <span className="font-semibold [&_span]:font-semibold">{column.cell(line, amounts)}</span>
    ) : (
      column.cell(line, amounts)
    ),
});

/** The lines of all pages. */
async function readLines(monat: string | undefined) {
  const query = monat === undefined ? {} : { monat };
  const { rows: pages, isWhole } = await readWhole('abgleich', { query }, (page) => [page]);
  const rows = linesOf(
    pages.flatMap(({ zeilen }) => zeilen),
    pages.flatMap(({ summen }) => summen),
  );
  return { rows, isWhole };
}

/** All columns; the first opens a line and closes it. */
function useLineColumns(open: string | null, setOpen: (key: string | null) => void): DataColumn<Line>[] {
  const { t } = useTranslation();
  const format = useFormat();
  const { text } = useColumns();
  const figures = useFigureColumns();
  return useMemo(
    () => [
      text(
        'anbieter',
        t('abgleich.provider'),
        (line: Line) => (isSum(line) ? t('abgleich.sum') : line.anbieter),
        {
          cell: (line) =>
            isSum(line) ? (
              <SumCell of={line} />
            ) : (
              <ProviderCell
                of={line}
                open={open === keyOf(line)}
                onToggle={() => setOpen(open === keyOf(line) ? null : keyOf(line))}
              />
            ),
          grow: true,
        },
      ),
      text('monat', t('abgleich.month'), (row: Line) => row.monat, {
        cell: (row) => (
          <span className="whitespace-nowrap">{format.day(`${row.monat}-01`, 'monthLong')}</span>
        ),
        from: 'md',
      }),
      ...figures.map(withSums),
    ],
    [t, format, text, figures, open, setOpen],
  );
}

interface ReconciliationTableProps {
  rows: Abgleichzeile[];
  sums: Abgleichsumme[];
  /** Undefined for the last twelve. */
  monat: string | undefined;
  /** Whether there are other rows than those. */
  hasMore: boolean;
  onOpen: (dialog: OpenDialog) => void;
}

/** A row for each provider in a month, pressed, it shows causes and invoices below it; and one for the month. */
export function ReconciliationTable({ rows, sums, monat, hasMore, onOpen }: ReconciliationTableProps) {
  const { t } = useTranslation();
  const [open, setOpen] = useState<string | null>(null);
  const lines = useMemo(() => linesOf(rows, sums), [rows, sums]);
  const columns = useLineColumns(open, setOpen);
  return (
    <DataTable
      caption={t('abgleich.title')}
      columns={columns}
      rows={lines}
      rowKey={keyOf}
      csvName={monat === undefined ? 'abgleich' : `abgleich-${monat}`}
      whole={hasMore ? () => readLines(monat) : undefined}
      detail={(line) => !isSum(line) && open === keyOf(line) && <RowDetail of={line} onOpen={onOpen} />}
    />
  );
}
