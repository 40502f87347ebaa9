/** A list of an export. */
import type { Right } from '#contracts';
import type { ColumnName } from './columns.ts';

export interface List {
  /** Also its table, but for `from`. */
  name: string;
  /** What is read, as SQL behind FROM. */
  from?: string;
  /** For people, German. */
  title: string;
  columns: readonly ColumnName[];
  /** Who may not read it elsewhere does not get it here either. */
  right: Right;
  /** Holds what users keep for themselves: only the rows of the one who asks. */
  isOwn?: true;
  /** Columns of the primary key, so that no sorting is needed however long the list is. */
  order: string;
}
