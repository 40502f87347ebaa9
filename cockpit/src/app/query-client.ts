import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { ApiError } from '../api/error.ts';

/** What takes too long takes as long again. */
const TOO_LONG: readonly string[] = ['abfrage_zu_lang', 'suche_zu_lange'];

/** An answer below 500 will not change by asking again; a hiccup of the network may. */
function retry(failures: number, error: unknown): boolean {
  // It was waited for long enough.
  if (error instanceof ApiError && error.code === 'antwortet_nicht') return false;
  if (error instanceof ApiError && error.status !== 0 && error.status < 500) return false;
  if (error instanceof ApiError && TOO_LONG.includes(error.code)) return false;
  return failures < 2;
}

/** The cache of everything read. Calls back when the session has ended. */
export function createQueryClient(onSessionLost: () => void): QueryClient {
  const onError = (error: unknown) => {
    if (error instanceof ApiError && error.sessionLost) onSessionLost();
  };
  return new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: { queries: { retry, staleTime: 2000 } },
  });
}
