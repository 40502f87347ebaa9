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
