import {
  createSortedRowModel,
  type Header,
  metaHelper,
  rowSortingFeature,
  type SortingState,
  tableFeatures,
  useTable,
} from '@tanstack/react-table';
import { Fragment, type ReactNode, useMemo } from 'react';
import type { MoneyColumn } from '../format/money-column.ts';
import { useFormat } from '../format/use-format.ts';
import { SortDownIcon, SortUpIcon } from './icons.tsx';
import { classOf, compareValues, type DataColumn, isFigure, sortedRows } from './table-column.ts';
import { ExportButton, type ReadWhole } from './table-export.tsx';
import { Foot, type Totals } from './table-foot.tsx';

export type { DataColumn };

interface ColumnMeta {
  kind: DataColumn<never>['kind'];
  isButtons: boolean;
  className: string;
}

interface DataTableProps<Row extends object> {
  caption: string;
  columns: DataColumn<Row>[];
  rows: Row[];
  rowKey: (row: Row) => string;
  /** `id` ascending, `-id` descending; lives in the URL. */
  sort?: string | undefined;
  onSort?: (sort: string) => void;
  /** The rows come in the order that was asked for, and these columns can be asked for. */
  sortable?: readonly string[];
  /** Name of the CSV file without ending; without it there is no export. */
  csvName?: string;
  /** Reads what belongs in the file, where `rows` are not all of it. */
  whole?: ReadWhole<Row> | undefined;
  /** Search and filters, left of the export. */
  toolbar?: ReactNode;
  /** Rows of several lines: every cell begins at the top. */
  tall?: boolean;
  /** What stands below a row that is open; nothing for the others. */
  detail?: (row: Row) => ReactNode;
  /** The last line: what the rows come to. */
  foot?: Totals;
}

const features = tableFeatures({
  rowSortingFeature,
  sortedRowModel: createSortedRowModel(),
  columnMeta: metaHelper<ColumnMeta>(),
});

/** The sort of the URL; one that names no column is as if it were not there. */
function toSorting<Row>(sort: string | undefined, columns: DataColumn<Row>[]): SortingState {
  const id = sort?.replace(/^-/, '');
  return id && columns.some((column) => column.id === id)
    ? [{ id, desc: sort?.startsWith('-') ?? false }]
    : [];
}

function useSortedTable<Row extends object>({ columns, rows, rowKey, sort, sortable }: DataTableProps<Row>) {
  const definitions = useMemo(
    () =>
      columns.map((column) => ({
        id: column.id,
        header: column.header,
        // Unknown values stand last, whichever way the column is sorted.
        accessorFn: (row: Row) => column.value(row) ?? undefined,
        sortUndefined: 'last' as const,
        sortFn: (a: { getValue: (id: string) => unknown }, b: { getValue: (id: string) => unknown }) =>
          compareValues(column.kind, a.getValue(column.id), b.getValue(column.id)),
        meta: { kind: column.kind, isButtons: column.only === 'screen', className: classOf(column) },
      })),
    [columns],
  );
  return useTable({
    features,
    columns: definitions,
    data: rows,
    getRowId: rowKey,
    manualSorting: sortable !== undefined,
    state: { sorting: toSorting(sort, columns) },
    onSortingChange: () => undefined,
  });
}

interface HeadCellProps<Row extends object> {
  header: Header<typeof features, Row>;
  onSort?: ((sort: string) => void) | undefined;
}

function HeadCell<Row extends object>({ header, onSort }: HeadCellProps<Row>) {
  const { column } = header;
  const { meta } = column.columnDef;
  const figure = meta !== undefined && isFigure(meta.kind);
  const direction = column.getIsSorted();
  const name = String(column.columnDef.header);
  // Figures and times are asked for from the top, names from A.
  const descending = direction === false ? meta?.kind !== 'text' : direction === 'asc';
  const Arrow = direction === 'asc' ? SortUpIcon : SortDownIcon;
  return (
    <th
      scope="col"
      aria-sort={direction === false ? undefined : direction === 'asc' ? 'ascending' : 'descending'}
      className={`sticky top-12 z-10 border-b bg-surface px-2 py-1.5 text-xs font-medium text-ink-3 md:top-0 ${meta?.className ?? ''}`}
    >
      {meta?.isButtons ? (
        <span className="sr-only">{name}</span>
      ) : onSort ? (
        <button
          type="button"
          onClick={() => onSort(`${descending ? '-' : ''}${column.id}`)}
          className="inline-flex min-h-6 items-center gap-0.5 rounded-sm hover:text-ink"
        >
          {figure && direction && <Arrow className="size-3" />}
          {name}
          {!figure && direction && <Arrow className="size-3" />}
        </button>
      ) : (
        name
      )}
    </th>
  );
}

/** How each column writes amounts, by its id. */
function useAmounts<Row extends object>({
  columns,
  rows,
  foot,
}: Pick<DataTableProps<Row>, 'columns' | 'rows'> & { foot: Totals | undefined }) {
  const format = useFormat();
  return useMemo(() => {
    const money = columns.filter(({ kind }) => kind === 'money');
    const amountsOf = ({ id, value }: DataColumn<Row>) => [
      ...rows.map((row) => value(row) as string | null),
      ...(foot ? [(foot[id] ?? null) as string | null] : []),
    ];
    const byId = new Map(
      money.map((column) => [column.id, format.moneyColumn(amountsOf(column), column.style)]),
    );
    const alone = format.moneyColumn([]);
    return (id: string): MoneyColumn => byId.get(id) ?? alone;
  }, [columns, rows, foot, format]);
}

interface BodyProps<Row> {
  columns: DataColumn<Row>[];
  rows: { id: string; original: Row }[];
  amounts: (id: string) => MoneyColumn;
  tall: boolean;
  detail: ((row: Row) => ReactNode) | undefined;
}

function Below({ columns, children }: { columns: number; children: ReactNode }) {
  if (!children) return null;
  return (
    <tr className="border-b bg-sunken last:border-b-0">
      <td colSpan={columns} className="px-2 py-3">
        {children}
      </td>
    </tr>
  );
}

function Body<Row>({ columns, rows, amounts, tall, detail }: BodyProps<Row>) {
  return (
    <tbody>
      {rows.map((row) => (
        <Fragment key={row.id}>
          <tr className="relative border-b last:border-b-0 hover:bg-sunken">
            {columns.map((column) => (
              <td key={column.id} className={`h-9 px-2 ${tall ? 'py-2 align-top' : ''} ${classOf(column)}`}>
                {column.cell(row.original, amounts(column.id))}
              </td>
            ))}
          </tr>
          <Below columns={columns.length}>{detail?.(row.original)}</Below>
        </Fragment>
      ))}
    </tbody>
  );
}

/** Rows and figures: sortable, exportable; the first column names the row. */
export function DataTable<Row extends object>(props: DataTableProps<Row>) {
  const {
    caption,
    columns: all,
    onSort,
    sortable,
    csvName,
    whole,
    toolbar,
    tall = false,
    detail,
    foot,
  } = props;
  const columns = useMemo(() => all.filter(({ only }) => only !== 'file'), [all]);
  const table = useSortedTable({ ...props, columns });
  const sorted = table.getRowModel().rows;
  const amounts = useAmounts({ columns, rows: props.rows, foot });
  const inOrder = (found: Row[]) => (sortable ? found : sortedRows(found, columns, props.sort));
  const exportButton = csvName && (
    <ExportButton
      name={csvName}
      columns={all.filter(({ only }) => only !== 'screen')}
      rows={sorted.map((row) => row.original)}
      whole={whole}
      inOrder={inOrder}
    />
  );
  return (
    <div className="@container">
      {toolbar && (
        <div className="flex flex-wrap items-end gap-2 border-b px-4 py-3">
          {toolbar}
          <span className="ml-auto">{exportButton}</span>
        </div>
      )}
      <div className="px-2">
        <table className="w-full border-collapse text-sm">
          <caption className="sr-only">{caption}</caption>
          <thead>
            <tr>
              {table.getFlatHeaders().map((header) => (
                <HeadCell
                  key={header.id}
                  header={header}
                  onSort={sortable && !sortable.includes(header.column.id) ? undefined : onSort}
                />
              ))}
            </tr>
          </thead>
          <Body columns={columns} rows={sorted} amounts={amounts} tall={tall} detail={detail} />
          {foot && <Foot columns={columns} rows={props.rows} foot={foot} amounts={amounts} />}
        </table>
      </div>
      {!toolbar && exportButton && <div className="border-t px-4 py-2 text-right">{exportButton}</div>}
    </div>
  );
}
