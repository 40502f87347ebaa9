/** A list of an export. */
import type { Right } from '#contracts';
import type { ColumnName } from './columns.ts';

interface Listed {
  name: string;
  /** For people, German. */
  title: string;
  columns: readonly ColumnName[];
  /** Who may not read it elsewhere does not get it here either. */
  right: Right;
}

/** The rows of the table that has its name. */
export interface TableList extends Listed {
  /** Holds what users keep for themselves: only the rows of the one who asks. */
  isOwn?: true;
  /** Columns of the primary key, so that no sorting is needed however long the list is. */
  order: string;
}

/** Sums of consumption. */
export interface SumsList extends Listed {
  by: 'tag' | 'stunde';
}

export type List = TableList | SumsList;
