/** Pieces as rows of the tables of the local copy. */
import { isWide, type PieceColumn } from '../../pieces/columns.ts';
import { type ColumnRoom, readPiece } from '../../pieces/packed-columns.ts';
import type { PackedPiece } from '../messages.ts';
import { COLUMNS, type LocalTable, markOf, SUMMANDS } from './tables.ts';

const MINUTES_OF_HOUR = 60;

/** Rows by column; columns that are 0 throughout are not there. */
interface TableRows {
  count: number;
  columns: ReadonlyMap<PieceColumn, ColumnRoom>;
}

/** What is known of a piece without its rows. */
export interface PieceFacts {
  marke: string;
  /** Minutes since 1970 of its first hour, and of the one after its last. */
  von: number;
  bis: number;
  anzahl: number;
  /** Which columns it has (`columnsIn`). */
  spalten: bigint;
}

/** A piece that can be written. */
export interface UnpackedPiece extends PieceFacts {
  rows: Record<LocalTable, TableRows>;
}

const NEEDED = new Set([...COLUMNS.rufe, ...COLUMNS.besonders]);

/** The rows in which one of these columns is not 0. */
function rowsWith(columns: readonly ColumnRoom[], count: number): Uint32Array {
  const isFound = new Uint8Array(count);
  for (const values of columns)
    for (let row = 0; row < count; row += 1) if (values[row] !== 0) isFound[row] = 1;
  const rows = new Uint32Array(count);
  let found = 0;
  for (let row = 0; row < count; row += 1) if (isFound[row] === 1) rows[found++] = row;
  return rows.subarray(0, found);
}

const roomFor = (column: PieceColumn, count: number): ColumnRoom =>
  isWide(column) ? new Float64Array(count) : new Int32Array(count);

function picked(name: PieceColumn, values: ColumnRoom, rows: Uint32Array): ColumnRoom {
  const out = roomFor(name, rows.length);
  for (let index = 0; index < rows.length; index += 1) out[index] = values[rows[index] as number] as number;
  return out;
}

function hoursOf(hours: ColumnRoom | undefined): { von: number; bis: number } {
  let [first, last] = hours?.length ? [Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER] : [0, 0];
  for (const hour of hours ?? []) {
    if (hour < first) first = hour;
    if (hour > last) last = hour;
  }
  // An hour may last one and a half where the clock goes back by half an hour: only where it begins is asked for.
  return { von: first, bis: last + MINUTES_OF_HOUR };
}

function unpackPiece({ marke, daten }: PackedPiece): UnpackedPiece {
  const columns = new Map<PieceColumn, ColumnRoom>();
  const anzahl = readPiece(daten, (name, count) => {
    if (!NEEDED.has(name)) return null;
    const values = roomFor(name, count);
    columns.set(name, values);
    return values;
  });
  const special = rowsWith(
    SUMMANDS.besonders.flatMap((name) => columns.get(name) ?? []),
    anzahl,
  );
  const besonders = new Map([...columns].map(([name, values]) => [name, picked(name, values, special)]));
  const spalten = markOf((name) => columns.has(name));
  for (const name of SUMMANDS.besonders) columns.delete(name);
  const rows = {
    rufe: { count: anzahl, columns },
    besonders: { count: special.length, columns: besonders },
  };
  return { marke, ...hoursOf(columns.get('stunde')), anzahl, spalten, rows };
}

/** Takes up a whole thread: best done while another one writes what came before. */
export const unpackPieces = (pieces: readonly PackedPiece[]): UnpackedPiece[] => pieces.map(unpackPiece);
