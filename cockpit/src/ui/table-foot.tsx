import type { MoneyColumn } from '../format/money-column.ts';
import { useFormat } from '../format/use-format.ts';
import { Money } from './money.tsx';
import { classOf, type DataColumn } from './table-column.ts';

/** What rows come to, by the ids of columns, written as the columns write it. */
export type Totals = Readonly<Record<string, string | number | null>>;

interface FootProps<Row extends object> {
  columns: DataColumn<Row>[];
  rows: Row[];
  foot: Totals;
  amounts: (id: string) => MoneyColumn;
}

/** What the rows come to, below them; columns it does not name are empty. */
export function Foot<Row extends object>({ columns, rows, foot, amounts }: FootProps<Row>) {
  const format = useFormat();
  const textOf = ({ id, kind, value }: DataColumn<Row>) => {
    const sum = foot[id];
    if (sum === undefined) return null;
    if (kind === 'money')
      return (
        <Money
          value={sum as string | null}
          column={amounts(id)}
          parts={rows.map((row) => value(row) as string | null)}
        />
      );
    return kind === 'count' ? format.count(Number(sum)) : sum;
  };
  return (
    <tfoot>
      <tr className="border-t border-edge/60 font-semibold">
        {columns.map((column, index) =>
          index === 0 ? (
            <th key={column.id} scope="row" className={`h-9 px-2 ${classOf(column)}`}>
              {textOf(column)}
            </th>
          ) : (
            <td key={column.id} className={`h-9 px-2 ${classOf(column)}`}>
              {textOf(column)}
            </td>
          ),
        )}
      </tr>
    </tfoot>
  );
}
