/** Questions to the service as the query client takes them. */
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { call } from './call.ts';
import type { AnswerOf, Callable, InputOf } from './operations.ts';

/** One answer, kept by the operation and what is asked. */
export const query = <N extends Callable>(name: N, input: InputOf<N>) =>
  queryOptions({ queryKey: [name, input], queryFn: ({ signal }) => call(name, input, { signal }) });

/** Lists in pages. */
type Paged = {
  [N in Callable]: AnswerOf<N> extends { weiter: string | null } ? N : never;
}[Callable];

/** Rows that a file takes at most: beyond them a spreadsheet and a browser have enough. */
const FILE_ROWS = 20_000;
/** As many as the service gives at once. */
const PAGE_ROWS = 1_000;

/** All rows of a list; `isWhole` is false where there are more than a file takes. */
export interface WholeList<Row> {
  rows: Row[];
  isWhole: boolean;
}

/** Reads a list from its first page to its last, for a file: what a screen has loaded may be a part of it. */
export async function readWhole<N extends Paged, Row>(
  name: N,
  input: InputOf<N>,
  rowsOf: (page: AnswerOf<N>) => readonly Row[],
): Promise<WholeList<Row>> {
  const rows: Row[] = [];
  let nach: string | null = null;
  do {
    const asked: object = { ...(input as { query?: object }).query, limit: PAGE_ROWS, ...(nach && { nach }) };
    const page: AnswerOf<N> = await call(name, { ...input, query: asked });
    rows.push(...rowsOf(page));
    nach = (page as { weiter: string | null }).weiter;
  } while (nach !== null && rows.length < FILE_ROWS);
  return { rows: rows.slice(0, FILE_ROWS), isWhole: nach === null && rows.length <= FILE_ROWS };
}

/** A list, page by page; a screen shows the pages it has loaded, one after the other. */
export const pages = <N extends Paged>(name: N, input: InputOf<N>) =>
  infiniteQueryOptions({
    queryKey: [name, 'seiten', input],
    queryFn: ({ pageParam, signal }): Promise<AnswerOf<N>> => {
      const query = { ...(input as { query?: object }).query, ...(pageParam && { nach: pageParam }) };
      return call(name, { ...input, query }, { signal });
    },
    initialPageParam: null as string | null,
    getNextPageParam: (page) => (page as { weiter: string | null }).weiter,
  });
