import { useMemo } from 'react';
import type { MoneyColumn } from '../format/money-column.ts';
import { type Format, useFormat } from '../format/use-format.ts';
import { Money } from './money.tsx';
import type { DataColumn } from './table.tsx';

/** What a column may settle for itself: another cell, where it appears, whether it takes the space left. */
type Extra<Row> = Partial<Pick<DataColumn<Row>, 'cell' | 'from' | 'grow' | 'only' | 'style' | 'unit'>>;

type Value<Row, T> = (row: Row) => T;

const textColumns = (format: Format) => ({
  /** A text that is cut where there is no room and then shown in full on hover. */
  text: <Row,>(id: string, header: string, value: Value<Row, string | null>, extra: Extra<Row> = {}) => ({
    id,
    header,
    kind: 'text' as const,
    value,
    cell: (row: Row) => (
      <span className={`block truncate ${extra.grow ? '' : 'max-w-36'}`} title={value(row) ?? undefined}>
        {value(row)}
      </span>
    ),
    ...extra,
  }),
  instant: <Row,>(id: string, header: string, value: Value<Row, string | null>, extra: Extra<Row> = {}) => ({
    id,
    header,
    kind: 'instant' as const,
    value,
    cell: (row: Row) => {
      const instant = value(row);
      return (
        instant && (
          <span className="whitespace-nowrap" title={format.instant(instant, 'dateTimeZone')}>
            {format.instant(instant, 'dateTime')}
          </span>
        )
      );
    },
    ...extra,
  }),
});

const figureColumns = (format: Format) => ({
  count: <Row,>(id: string, header: string, value: Value<Row, number | null>, extra: Extra<Row> = {}) => ({
    id,
    header,
    kind: 'count' as const,
    value,
    cell: (row: Row) => format.count(value(row)),
    ...extra,
  }),
  /** Amounts, in EUR unless `style` says otherwise, with as many decimals as all of them take; all their digits on hover. */
  money: <Row,>(id: string, header: string, value: Value<Row, string | null>, extra: Extra<Row> = {}) => ({
    id,
    header,
    kind: 'money' as const,
    value,
    cell: (row: Row, amounts: MoneyColumn) => (
      <Money className="font-medium" value={value(row)} column={amounts} />
    ),
    ...extra,
  }),
});

/** Columns of the four kinds with the cells they usually have. */
export function useColumns() {
  const format = useFormat();
  return useMemo(() => ({ ...textColumns(format), ...figureColumns(format) }), [format]);
}
