/** The connection page's data and actions. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../api/call.ts';
import { anbindungQuery, erststartQuery } from '../../api/queries.ts';
import { toast } from '../../ui/toast.tsx';

/** How often the page looks for a call. */
const pollMs = 3000;
/** Where much arrives, a test event can be gone from the latest calls before it was seen: no longer awaited. */
const awaitTestMs = 60_000;

/**
 * The connection page, polled until the first call has arrived and, after a test event, until that one has;
 * otherwise never.
 */
export function useConnection(testEvent: string | null) {
  const client = useQueryClient();
  const page = useQuery({
    ...anbindungQuery,
    refetchInterval: ({ state }) => {
      if (!state.data) return false;
      const awaited =
        testEvent !== null && state.data.letzte_aufrufe.every((call) => call.ereignis_id !== testEvent);
      return state.data.erster_aufruf_am === null || awaited ? pollMs : false;
    },
  });
  const arrived = page.data?.ereignisse_gesamt;
  useEffect(() => {
    // What has arrived may have done a step of the checklist.
    if (arrived) client.invalidateQueries({ queryKey: erststartQuery.queryKey });
  }, [arrived, client]);
  return page;
}

function useRefresh() {
  const client = useQueryClient();
  return () => {
    client.invalidateQueries({ queryKey: anbindungQuery.queryKey });
    client.invalidateQueries({ queryKey: erststartQuery.queryKey });
  };
}

/** Asks the service what it thinks of a key. */
export function useCheckKey(key: string) {
  return useMutation({ mutationFn: () => call('anbindungPruefen', {}, { key }) });
}

function testEventOf(ereignis_id: string) {
  return {
    ereignis_id,
    agent: 'testaufruf',
    anbieter: 'openai',
    modell: 'gpt-4o-mini',
    eingabe_token: 1200,
    ausgabe_token: 300,
    latenz_ms: 840,
    lauf_id: crypto.randomUUID(),
    schritt_nr: 1,
    quelle: 'cockpit',
  };
}

/** Sends one event with the key, as a program would; `testEvent` is its id once it is accepted. */
export function useTestEvent(key: string) {
  const { t } = useTranslation();
  const refresh = useRefresh();
  const [testEvent, setTestEvent] = useState<string | null>(null);
  useEffect(() => {
    if (testEvent === null) return;
    const timer = setTimeout(() => setTestEvent(null), awaitTestMs);
    return () => clearTimeout(timer);
  }, [testEvent]);
  const mutation = useMutation({
    mutationFn: async () => {
      const ereignis_id = crypto.randomUUID();
      await call('ereignisseAnnehmen', { body: { ereignisse: [testEventOf(ereignis_id)] } }, { key });
      return ereignis_id;
    },
    onSuccess: (ereignis_id) => {
      setTestEvent(ereignis_id);
      toast(t('anbindung.testSent'));
      refresh();
    },
  });
  return { ...mutation, testEvent };
}
