import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { ichQuery } from '../../api/queries.ts';
import type { Ich } from '../../api/types.ts';

/** After somebody has signed in: forgets what another user has read and goes to a path of the cockpit. */
export function useArrival(): (ich: Ich, path: string) => void {
  const client = useQueryClient();
  const router = useRouter();
  return (ich, path) => {
    client.clear();
    client.setQueryData(ichQuery.queryKey, ich);
    router.history.push(path);
  };
}
