/** Several statements as parts of one, for one or several Mandanten, so that the server is not left waiting in between. */

import { BinaryArray, type ElementType } from '#platform/database/copy/binary-array.ts';

/** Values of a column as PostgreSQL writes an array; for what needs no quotes, or is nothing. */
export const arrayText = (values: readonly (string | number | bigint | null)[]): string =>
  `{${values.map((value) => value ?? 'NULL').join(',')}}`;

/**
 * A statement under construction: `$1` is the list of Mandanten, in which rows `n` name theirs by its place `m`, from 1. One
 * alone is no list: a cluster then sees which of its nodes the statement is for.
 */
export class Statement {
  readonly values: unknown[];
  readonly #parts: string[] = [];
  /** What the statement as a whole answers; nothing unless set. */
  answer = 'SELECT';
  readonly isForOne: boolean;
  /** A row's Mandant, as SQL. */
  readonly mandant: string;
  /** Likewise, of rows to be inserted that are read `from` somewhere. */
  readonly inserted: string;

  constructor(mandanten: string[]) {
    this.isForOne = mandanten.length === 1;
    this.values = [this.isForOne ? mandanten[0] : arrayText(mandanten)];
    this.mandant = this.isForOne ? '$1::uuid' : '($1::uuid[])[n.m]';
    this.inserted = this.isForOne ? 'wer.mandant_id' : this.mandant;
  }

  /**
   * Rows as FROM and WHERE of an INSERT. Beside the row that is locked a cluster has those of one Mandant inserted where they
   * belong; else its coordinator would copy them there, and nobody could tell why that fails.
   */
  from(rows: string): string {
    return this.isForOne ? `zaehlstaende AS wer CROSS JOIN ${rows} WHERE wer.mandant_id = $1::uuid` : rows;
  }

  /** Keeps a value and returns its placeholder. */
  place(value: unknown): string {
    return `$${this.values.push(value)}`;
  }

  /** Adds a statement without its `;`, and returns the name of what it returns. No two may change the same row. */
  part(sql: string): string {
    const name = `teil_${this.#parts.length}`;
    this.#parts.push(`${name} AS (${sql})`);
    return name;
  }

  get text(): string {
    return `WITH ${this.#parts.join(',\n')} ${this.answer}`;
  }
}

/** Assignments of an upsert that add to what is there. */
export const sumUp = (table: string, columns: readonly string[]) =>
  columns.map((name) => `${name} = ${table}.${name} + excluded.${name}`);

/** A column whose values go as texts: its name, its type and what it is of a row. */
type TextColumn<R> = [name: string, type: string, read: (row: R) => unknown];

/** A column whose values go in binary form: of rows that are many. */
type BinaryColumn<R> = [name: string, write: (out: BinaryArray, row: R) => void, type: ElementType];

/** A column of rows to be inserted. */
export type Column<R> = TextColumn<R> | BinaryColumn<R>;

const isBinary = <R>(column: Column<R>): column is BinaryColumn<R> => typeof column[1] === 'function';

/** The values of a column as the placeholder of an array. */
function arrayOf<R>(statement: Statement, column: Column<R>, rows: Placed<R>[]): string {
  if (isBinary(column)) {
    const [, write, type] = column;
    const out = new BinaryArray(type, rows.length);
    for (let at = 0; at < rows.length; at += 1) write(out, (rows[at] as Placed<R>).row);
    return `${statement.place(out.finish())}::${type}[]`;
  }
  const [, type, read] = column;
  const values = rows.map(({ row }) => read(row));
  return `${statement.place(type === 'text' ? values : arrayText(values as (string | number | null)[]))}::${type}[]`;
}

/** A row, and the place of its Mandant in the statement. */
export interface Placed<R> {
  m: number;
  row: R;
}

/**
 * Arrays of equal length as a part of FROM, `n` with a column of each. In the list of what is selected they are read element by element; in
 * FROM the server would write each of them into a store of rows first.
 */
export const sideBySide = (arrays: readonly string[], names: readonly string[]): string =>
  `(SELECT ${arrays.map((array, index) => `unnest(${array}) AS ${names[index]}`).join(', ')}) AS n`;

/** Rows as a part of FROM: `n` with the columns, and where there are several Mandanten the place `m` of the row's. */
export function unnest<R>(statement: Statement, columns: Column<R>[], rows: Placed<R>[]): string {
  const arrays = columns.map((column) => arrayOf(statement, column, rows));
  const names = columns.map(([name]) => name);
  if (!statement.isForOne) {
    arrays.unshift(`${statement.place(arrayText(rows.map(({ m }) => m)))}::int[]`);
    names.unshift('m');
  }
  return sideBySide(arrays, names);
}

/** Adds rows to a table: those of all Mandanten, each with the place of its own. Returns the name of what they return. */
export function insert<R>(
  statement: Statement,
  table: string,
  columns: Column<R>[],
  rows: Placed<R>[],
  conflict: string,
): string {
  const names = columns.map(([name]) => name);
  return statement.part(`INSERT INTO ${table} AS v (mandant_id, ${names.join(', ')})
    SELECT ${statement.inserted}, ${names.map((name) => `n.${name}`).join(', ')}
    FROM ${statement.from(unnest(statement, columns, rows))} ON CONFLICT ${conflict}`);
}

/** Rows of each Mandant, with its place. */
export function rowsOf<P, R>(parts: P[], read: (part: P) => Iterable<R>): Placed<R>[] {
  const rows: Placed<R>[] = [];
  for (const [index, part] of parts.entries()) for (const row of read(part)) rows.push({ row, m: index + 1 });
  return rows;
}
