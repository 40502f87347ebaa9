/** The actions on the second factor of the signed-in user. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { call } from '../../api/call.ts';
import type { InputOf } from '../../api/operations.ts';
import { ichQuery, sitzungenQuery } from '../../api/queries.ts';
import { toast } from '../../ui/toast.tsx';

function useRefresh() {
  const client = useQueryClient();
  return () =>
    Promise.all([
      client.invalidateQueries({ queryKey: ichQuery.queryKey }),
      client.invalidateQueries({ queryKey: sitzungenQuery.queryKey }),
    ]);
}

export function useBeginSetup() {
  return useMutation({ mutationFn: () => call('zweiterFaktorEinrichten', {}) });
}

/** Begins a session anew, for what asks for a recent login. */
export function useSignInAgain(email: string, onDone: () => void) {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: (passwort: string) => call('anmelden', { body: { email, passwort } }),
    onSuccess: async () => {
      await refresh();
      onDone();
    },
  });
}

/** Confirms with the first code; hands on the recovery codes, which no later answer holds. */
export function useConfirmSetup(onConfirmed: (codes: string[]) => void) {
  const { t } = useTranslation();
  const refresh = useRefresh();
  return useMutation({
    mutationFn: (code: string) => call('zweiterFaktorBestaetigen', { body: { code } }),
    onSuccess: ({ wiederherstellungscodes }) => {
      onConfirmed(wiederherstellungscodes);
      toast(t('sicherheit.switchedOn'));
      return refresh();
    },
  });
}

export function useSwitchOff(onDone: () => void) {
  const { t } = useTranslation();
  const refresh = useRefresh();
  return useMutation({
    mutationFn: (body: InputOf<'zweiterFaktorEntfernen'>['body']) => call('zweiterFaktorEntfernen', { body }),
    onSuccess: async () => {
      await refresh();
      toast(t('sicherheit.switchedOff'));
      onDone();
    },
  });
}
