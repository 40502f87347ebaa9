/** The connection page's data and actions. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { call } from '../../api/call.ts';
import { anbindungQuery, erststartQuery } from '../../api/queries.ts';

/** How often the page looks for calls while it is in sight. */
const pollMs = 3000;

/** The connection page; it goes on listening, so that each further call shows up. */
export function useConnection() {
  const client = useQueryClient();
  const page = useQuery({ ...anbindungQuery, refetchInterval: pollMs });
  const arrived = page.data?.ereignisse_gesamt;
  useEffect(() => {
    // What has arrived may have done a step of the checklist.
    if (arrived) client.invalidateQueries({ queryKey: erststartQuery.queryKey });
  }, [arrived, client]);
  return page;
}

/**
 * Goes with the key through the door that programs use, with an empty batch: whatever would stop a program stops this, and
 * nothing is counted. Resolves with what the service knows of the key.
 */
export function useTestConnection(key: string) {
  return useMutation({
    mutationFn: async () => {
      const known = await call('anbindungPruefen', {}, { key });
      if (known.schluessel.bereiche.includes('Senden'))
        await call('ereignisseAnnehmen', { body: { ereignisse: [] } }, { key });
      return known;
    },
  });
}

/** Asks with the key what the dearest agent of the last 30 days cost, as a program would. */
export function useTryQuery(key: string) {
  return useMutation({
    mutationFn: () => call('apiVerbrauch', { query: { gruppe: 'agent', limit: 1 } }, { key }),
  });
}
