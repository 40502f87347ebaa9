/** Changing the settings of the Mandant. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../../api/call.ts';
import type { AnswerOf, InputOf } from '../../api/operations.ts';
import { kontoQuery } from '../../api/queries.ts';

type Konto = AnswerOf<'kontoLesen'>;

/** Puts what a change answered into the account that was read, so that nothing flickers. */
function useUpdate() {
  const client = useQueryClient();
  return (part: Partial<Konto>) =>
    client.setQueryData(kontoQuery.queryKey, (konto) => konto && { ...konto, ...part });
}

export function useSetBranding(onSaved: () => void) {
  const update = useUpdate();
  return useMutation({
    mutationFn: (body: InputOf<'brandingSetzen'>['body']) => call('brandingSetzen', { body }),
    onSuccess: (branding) => {
      update({ branding });
      onSaved();
    },
  });
}

export function useAcceptAvv(onAccepted: () => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => call('avvAkzeptieren', {}),
    onSuccess: () => {
      client.invalidateQueries({ queryKey: kontoQuery.queryKey });
      onAccepted();
    },
  });
}

/** Sets what may become of costs at the substitute rate. */
export function useSetRates(onSaved: () => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: InputOf<'kurseSetzen'>['body']) => call('kurseSetzen', { body }),
    onSuccess: (rates) => {
      client.setQueryData(
        kontoQuery.queryKey,
        (konto) => konto && { ...konto, mandant: { ...konto.mandant, ...rates } },
      );
      onSaved();
    },
  });
}
