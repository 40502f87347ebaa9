/** What a column of a table is, and how its cells stand. */
import type { ReactNode } from 'react';
import { compareDecimal } from '../format/decimal.ts';
import type { MoneyColumn, MoneyStyle } from '../format/money-column.ts';

/** A column: what it compares and exports (`value`), what it shows (`cell`). */
export interface DataColumn<Row> {
  id: string;
  header: string;
  /**
   * `text` sorts by alphabet, `instant` (ISO 8601) by time, `count`, `decimal` (decimal string) and `money` (the same, an amount)
   * by size; the last three stand at the right.
   */
  kind: 'text' | 'instant' | 'count' | 'decimal' | 'money';
  value: (row: Row) => string | number | null;
  /** `amounts` writes money as this column does; it knows the decimals all its rows take. */
  cell: (row: Row, amounts: MoneyColumn) => ReactNode;
  /** How money is written, where that is not in EUR and without a plus sign. */
  style?: MoneyStyle;
  /** Only where the table has at least this much room: 32, 48 or 60 rem. */
  from?: 'md' | 'lg' | 'xl';
  /** What its figures are in, for the head of the file. */
  unit?: string;
  /** Takes the space that is left and cuts long texts. */
  grow?: boolean;
  /** `file`: in the CSV alone. `screen`: not in it, and nothing to sort by, such as buttons. */
  only?: 'file' | 'screen';
}

/** Whether a column stands at the right. */
export const isFigure = (kind: DataColumn<never>['kind']) => kind !== 'text' && kind !== 'instant';

const widths = { md: '@max-lg:hidden', lg: '@max-3xl:hidden', xl: '@max-[60rem]:hidden' };

/** The classes of its cells. */
export function classOf<Row>(column: DataColumn<Row>): string {
  const align = isFigure(column.kind) ? 'text-right' : 'text-left';
  return `${align} ${column.from ? widths[column.from] : ''} ${column.grow ? 'w-full max-w-0' : ''}`;
}

/** Compares two known values of a column. */
export function compareValues(kind: DataColumn<never>['kind'], a: unknown, b: unknown): number {
  if (kind === 'count') return Number(a) - Number(b);
  if (kind === 'money' || kind === 'decimal') return compareDecimal(String(a), String(b));
  return String(a).localeCompare(String(b), 'de', { numeric: true });
}

/** Rows in the order of `sort` (`id` ascending, `-id` descending), unknown values last, as the table puts them. */
export function sortedRows<Row>(rows: readonly Row[], columns: DataColumn<Row>[], sort?: string): Row[] {
  const column = columns.find(({ id }) => id === sort?.replace(/^-/, ''));
  if (!column) return [...rows];
  const sign = sort?.startsWith('-') ? -1 : 1;
  return rows.toSorted((one, other) => {
    const [a, b] = [column.value(one), column.value(other)];
    if (a === null || b === null) return Number(a === null) - Number(b === null);
    return sign * compareValues(column.kind, a, b);
  });
}
