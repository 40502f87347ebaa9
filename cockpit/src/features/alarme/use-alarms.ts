/** Where alarms go, how they come, and what became of them. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../../api/call.ts';
import type { InputOf } from '../../api/operations.ts';
import { alarmEinstellungenQuery, alarmeQuery, kontoQuery } from '../../api/queries.ts';

export function useSetAlarme(onSaved: () => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: InputOf<'alarmeSetzen'>['body']) => call('alarmeSetzen', { body }),
    onSuccess: (alarme) => {
      // What was answered is shown, so that nothing flickers.
      client.setQueryData(kontoQuery.queryKey, (konto) => konto && { ...konto, alarme });
      onSaved();
    },
  });
}

/** Asks somebody at an address once more whether alarms may come there. */
export function useAskAgain(onAsked: (gehalten: boolean) => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (email: string) => call('alarmempfaengerFragen', { body: { email } }),
    onSuccess: ({ mail_gehalten }) => {
      client.invalidateQueries({ queryKey: kontoQuery.queryKey });
      onAsked(mail_gehalten);
    },
  });
}

export function useSetEinstellungen(onSaved: () => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: InputOf<'einstellungenSetzen'>['body']) => call('einstellungenSetzen', { body }),
    onSuccess: (einstellungen) => {
      client.setQueryData(alarmEinstellungenQuery.queryKey, einstellungen);
      onSaved();
    },
  });
}

export function useRenewSecret(onRenewed: (geheimnis: string) => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => call('geheimnisErneuern', {}),
    onSuccess: ({ geheimnis }) => {
      onRenewed(geheimnis);
      client.invalidateQueries({ queryKey: alarmEinstellungenQuery.queryKey });
    },
  });
}

export type Kanal = InputOf<'alarmProbe'>['body']['kanal'];

export const useProbe = () =>
  useMutation({ mutationFn: (kanal: Kanal) => call('alarmProbe', { body: { kanal } }) });

export function useRepeat() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (zustellung_id: string) => call('zustellungWiederholen', { params: { zustellung_id } }),
    onSuccess: () => client.invalidateQueries({ queryKey: alarmeQuery({}).queryKey.slice(0, 2) }),
  });
}
