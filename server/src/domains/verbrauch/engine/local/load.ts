/** Rows of pieces into the tables of the local copy. */
import {
  BIGINT,
  type DuckDBAppender,
  type DuckDBConnection,
  DuckDBDataChunk,
  INTEGER,
} from '@duckdb/node-api';
import { isWide, type PieceColumn } from '../../pieces/columns.ts';
import { type PieceColumns, unpackPiece } from '../../pieces/packed-columns.ts';
import type { PackedPiece } from '../messages.ts';
import { addUpDays, fitInSums } from './days.ts';
import type { HeldPiece, HeldPieces } from './held-pieces.ts';
import { COLUMNS, type LocalTable, markOf, SUMMANDS } from './tables.ts';
import { inTransaction } from './transaction.ts';

/** Rows that the engine takes at a time, and those after which they go into the table: until then they are held once more. */
const CHUNK = 2_048;
const FLUSHED = 10 * CHUNK;
const MINUTES_OF_HOUR = 60;

/** The numbers of a vector, and what writes them into its chunk: whole columns, where the library offers one number after the other. */
interface Vector {
  items: Int32Array | BigInt64Array;
  flush(): void;
}

const UPPER = 2 ** 32;

/** Puts whole numbers into a vector; those of 64 bits as their halves, since a BigInt for each would take ten times as long. */
function put({ items }: Vector, values: Float64Array): void {
  if (items instanceof Int32Array) {
    items.set(values);
    return;
  }
  const halves = new Int32Array(items.buffer, items.byteOffset, 2 * items.length);
  for (let row = 0; row < values.length; row += 1) {
    const value = values[row] as number;
    const high = Math.floor(value / UPPER);
    halves[2 * row] = value - high * UPPER;
    halves[2 * row + 1] = high;
  }
}

/** Writes columns into a table, `CHUNK` rows at a time. */
class TableWriter {
  readonly #appender: DuckDBAppender;
  readonly #chunk: DuckDBDataChunk;
  readonly #columns: readonly PieceColumn[];
  /** Of the Mandant, the piece, and the columns. Those of the chunk, which they are copied into. */
  readonly #vectors: Vector[];
  /** Columns whose vector holds nothing but 0. */
  readonly #empty = new Set<Vector>();
  #unflushed = 0;

  private constructor(appender: DuckDBAppender, table: LocalTable) {
    this.#appender = appender;
    this.#columns = COLUMNS[table];
    const types = [INTEGER, INTEGER, ...this.#columns.map((name) => (isWide(name) ? BIGINT : INTEGER))];
    this.#chunk = DuckDBDataChunk.create(types, CHUNK);
    this.#vectors = types.map((_, index) => this.#chunk.getColumnVector(index) as unknown as Vector);
  }

  static async open(connection: DuckDBConnection, table: LocalTable): Promise<TableWriter> {
    return new TableWriter(await connection.createAppender(table), table);
  }

  write(mandant: number, stueck: number, count: number, columns: PieceColumns['columns']): void {
    const constants = [mandant, stueck];
    for (const [index, value] of constants.entries()) {
      const vector = this.#vectors[index] as Vector;
      (vector.items as Int32Array).fill(value);
      vector.flush();
    }
    for (let start = 0; start < count; start += CHUNK) {
      const rows = Math.min(CHUNK, count - start);
      for (const [index, name] of this.#columns.entries())
        this.#set(
          this.#vectors[index + constants.length] as Vector,
          columns.get(name)?.subarray(start, start + rows),
        );
      this.#chunk.rowCount = rows;
      this.#appender.appendDataChunk(this.#chunk);
      this.#unflushed += rows;
      if (this.#unflushed < FLUSHED) continue;
      this.#appender.flushSync();
      this.#unflushed = 0;
    }
  }

  #set(vector: Vector, values: Float64Array | undefined): void {
    if (values) {
      put(vector, values);
      this.#empty.delete(vector);
    } else if (this.#empty.has(vector)) return;
    else {
      (vector.items as { fill(value: number | bigint): void }).fill(
        vector.items instanceof BigInt64Array ? 0n : 0,
      );
      this.#empty.add(vector);
    }
    vector.flush();
  }

  close(): void {
    this.#appender.closeSync();
  }

  /** Forgets what was written: a writer that is not closed would write it later. */
  abandon(): void {
    this.#appender.clear();
    this.#appender.closeSync();
  }
}

/** The rows in which one of these columns is not 0. */
function rowsWith(columns: readonly Float64Array[], count: number): Int32Array {
  const rows = new Int32Array(count);
  let found = 0;
  for (let row = 0; row < count; row += 1) {
    if (!columns.some((values) => values[row] !== 0)) continue;
    rows[found] = row;
    found += 1;
  }
  return rows.subarray(0, found);
}

function picked(values: Float64Array, rows: Int32Array): Float64Array {
  const out = new Float64Array(rows.length);
  for (let index = 0; index < rows.length; index += 1) out[index] = values[rows[index] as number] as number;
  return out;
}

function hoursOf({ columns }: PieceColumns): { von: number; bis: number } {
  const hours = columns.get('stunde');
  let [first, last] = hours?.length ? [Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER] : [0, 0];
  for (const hour of hours ?? []) {
    if (hour < first) first = hour;
    if (hour > last) last = hour;
  }
  // An hour may last one and a half where the clock goes back by half an hour: only where it begins is asked for.
  return { von: first, bis: last + MINUTES_OF_HOUR };
}

/** The tables that are written: each from its first row on, since every one costs a millisecond. */
class Writers {
  readonly #connection: DuckDBConnection;
  readonly #open = new Map<LocalTable, TableWriter>();

  constructor(connection: DuckDBConnection) {
    this.#connection = connection;
  }

  async of(table: LocalTable): Promise<TableWriter> {
    const known = this.#open.get(table) ?? (await TableWriter.open(this.#connection, table));
    this.#open.set(table, known);
    return known;
  }

  close(): void {
    for (const writer of this.#open.values()) writer.close();
  }

  abandon(): void {
    for (const writer of this.#open.values()) writer.abandon();
  }
}

type HeldColumns = Omit<HeldPiece, 'stueck' | 'marke' | 'tage'>;
/** A piece that is written, and whether its days are to be added up. */
type WrittenPiece = Omit<HeldPiece, 'tage'> & { isAddedUp: boolean };

async function writePiece(
  writers: Writers,
  mandant: number,
  stueck: number,
  piece: PieceColumns,
): Promise<HeldColumns> {
  const { count, columns } = piece;
  (await writers.of('rufe')).write(mandant, stueck, count, columns);
  const rows = rowsWith(
    SUMMANDS.besonders.flatMap((name) => columns.get(name) ?? []),
    count,
  );
  if (rows.length > 0) {
    const special = new Map([...columns].map(([name, values]) => [name, picked(values, rows)]));
    (await writers.of('besonders')).write(mandant, stueck, rows.length, special);
  }
  return { ...hoursOf(piece), anzahl: count, spalten: markOf((name) => columns.has(name)) };
}

/** A piece that can be written. */
export interface UnpackedPiece {
  marke: string;
  rows: PieceColumns;
}

/** Takes up a whole thread: best done while another one writes what came before. */
export const unpackPieces = (pieces: readonly PackedPiece[]): UnpackedPiece[] =>
  pieces.map(({ marke, daten }) => ({ marke, rows: unpackPiece(daten) }));

async function writePieces(
  connection: DuckDBConnection,
  held: HeldPieces,
  mandant: number,
  pieces: readonly UnpackedPiece[],
  addedUpFrom: number,
): Promise<WrittenPiece[]> {
  const writers = new Writers(connection);
  const written: WrittenPiece[] = [];
  try {
    for (const { marke, rows } of pieces) {
      const stueck = held.nextPiece();
      const columns = await writePiece(writers, mandant, stueck, rows);
      written.push({ stueck, marke, ...columns, isAddedUp: rows.count >= addedUpFrom && fitInSums(rows) });
    }
    writers.close();
  } catch (error) {
    writers.abandon();
    throw error;
  }
  return written;
}

/** Notes which pieces are in the tables. */
async function notePieces(
  connection: DuckDBConnection,
  mandant: { nummer: number; id: string },
  pieces: readonly WrittenPiece[],
): Promise<void> {
  const appender = await connection.createAppender('stuecke');
  for (const { stueck, marke, von, bis, anzahl, spalten } of pieces) {
    for (const number of [stueck, mandant.nummer]) appender.appendInteger(number);
    for (const text of [mandant.id, marke]) appender.appendVarchar(text);
    for (const number of [von, bis, anzahl]) appender.appendInteger(number);
    appender.appendBigInt(spalten);
    appender.endRow();
  }
  appender.closeSync();
}

/** Puts pieces into the tables, all or none, and leaves out those that are there. Days of those with `addedUpFrom` rows or more are added up. */
export async function loadPieces(
  connection: DuckDBConnection,
  held: HeldPieces,
  mandant: string,
  pieces: readonly UnpackedPiece[],
  addedUpFrom: number,
): Promise<void> {
  const fresh = pieces.filter(({ marke }) => !held.has(mandant, marke));
  if (fresh.length === 0) return;
  const nummer = held.numberOf(mandant);
  const written = await inTransaction(connection, async () => {
    const rows = await writePieces(connection, held, nummer, fresh, addedUpFrom);
    await notePieces(connection, { nummer, id: mandant }, rows);
    const complete: HeldPiece[] = [];
    for (const { isAddedUp, ...piece } of rows)
      complete.push({ ...piece, tage: isAddedUp ? await addUpDays(connection, nummer, piece) : [] });
    return complete;
  });
  for (const piece of written) held.add(mandant, piece);
}
