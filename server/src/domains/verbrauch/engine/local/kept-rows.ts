/** Rows of unpacked pieces that statements read from memory: whole columns at a time, where the library offers one number after the other. */
import {
  BIGINT,
  type DuckDBConnection,
  type DuckDBDataChunk,
  DuckDBTableFunction,
  INTEGER,
  VARCHAR,
} from '@duckdb/node-api';
import { isWide, type PieceColumn } from '../../pieces/columns.ts';
import type { ColumnRoom } from '../../pieces/packed-columns.ts';
import { COLUMNS, type LocalTable } from './tables.ts';
import type { UnpackedPiece } from './unpacked-pieces.ts';

/** Rows that a statement takes at a time. */
const CHUNK = 2_048;
const UPPER = 2 ** 32;

/** With its number in the tables, once it has one. */
type KeptPiece = Pick<UnpackedPiece, 'rows'> & { stueck?: number };

/** Writes numbers into a column of a chunk, 0 or the same of 32 bits throughout; those of 64 bits as their halves, since a BigInt for each would take ten times as long. */
function put(chunk: DuckDBDataChunk, column: number, values: ColumnRoom | number): void {
  const vector = chunk.getColumnVector(column) as unknown as {
    items: Int32Array | BigInt64Array;
    flush(): void;
  };
  const { buffer, byteOffset, byteLength } = vector.items;
  const numbers = new Int32Array(buffer, byteOffset, byteLength / Int32Array.BYTES_PER_ELEMENT);
  if (typeof values === 'number') numbers.fill(values);
  else if (vector.items instanceof Int32Array) numbers.set(values);
  else
    for (let row = 0; row < values.length; row += 1) {
      const value = values[row] as number;
      const high = Math.floor(value / UPPER);
      numbers[2 * row] = value - high * UPPER;
      numbers[2 * row + 1] = high;
    }
  vector.flush();
}

type KeptColumn = PieceColumn | 'stueck';
const columnsOf = (table: LocalTable): readonly KeptColumn[] => ['stueck', ...COLUMNS[table]];

/** A few rows. */
interface Slice {
  count: number;
  of(column: KeptColumn): ColumnRoom | number;
}

function* slicesOf({ pieces, table }: { pieces: readonly KeptPiece[]; table: LocalTable }): Generator<Slice> {
  for (const { stueck = 0, rows } of pieces) {
    const { count, columns } = rows[table];
    for (let from = 0; from < count; from += CHUNK) {
      const to = Math.min(from + CHUNK, count);
      const of = (column: KeptColumn) =>
        column === 'stueck' ? stueck : (columns.get(column)?.subarray(from, to) ?? 0);
      yield { count: to - from, of };
    }
  }
}

export class KeptRows {
  readonly #kept = new Map<number, readonly KeptPiece[]>();
  #last = 0;

  /** Of the connection's instance. */
  constructor(connection: DuckDBConnection) {
    const scanned = DuckDBTableFunction.create({
      name: 'kept_rows',
      parameterTypes: [INTEGER, VARCHAR],
      supportsProjectionPushdown: true,
      bindFunction: (info) => {
        const pieces = this.#kept.get(info.getParameter(0) as number) ?? [];
        const table = info.getParameter(1) as LocalTable;
        for (const name of columnsOf(table))
          info.addResultColumn(name, name !== 'stueck' && isWide(name) ? BIGINT : INTEGER);
        const count = pieces.reduce((sum, { rows }) => sum + rows[table].count, 0);
        info.setCardinality(count, true);
        info.setBindData({ pieces, table });
      },
      initFunction: (info) => {
        const bound = info.bindData as { pieces: KeptPiece[]; table: LocalTable };
        const names = columnsOf(bound.table);
        const columns = info.getColumnIndexes().map((index) => names[index]);
        info.setInitData({ columns, slices: slicesOf(bound) });
      },
      mainFunction: (info, chunk) => {
        const { columns, slices } = info.initData as { columns: KeptColumn[]; slices: Iterator<Slice> };
        const { done, value: slice } = slices.next();
        chunk.rowCount = done ? 0 : slice.count;
        if (!done) for (const [index, column] of columns.entries()) put(chunk, index, slice.of(column));
      },
    });
    connection.registerTableFunction(scanned);
  }

  /** Returns the number by which statements read them (`keptFrom`), until `forget`. */
  keep(pieces: readonly KeptPiece[]): number {
    this.#last += 1;
    this.#kept.set(this.#last, pieces);
    return this.#last;
  }

  forget(number: number): void {
    this.#kept.delete(number);
  }
}

/** FROM the rows of a table that are kept by a number. */
export const keptFrom = (number: number, table: LocalTable): string =>
  `FROM kept_rows(${number}, '${table}')`;
