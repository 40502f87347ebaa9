/** What operators do to a Mandant. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../../api/call.ts';
import type { InputOf } from '../../api/operations.ts';

/** Everything that operators read may look different after an act. */
const readByOperators = ['uebersicht', 'mandantenListe', 'betreiberprotokoll'];

function useForget(onDone: () => void) {
  const client = useQueryClient();
  return async () => {
    await Promise.all(readByOperators.map((name) => client.invalidateQueries({ queryKey: [name] })));
    onDone();
  };
}

export type MandantChange = InputOf<'mandantAendern'>['body'];

export function useChangeMandant(mandant_id: string, onDone: () => void) {
  const forget = useForget(onDone);
  return useMutation({
    mutationFn: (body: MandantChange) => call('mandantAendern', { params: { mandant_id }, body }),
    onSuccess: forget,
  });
}

export function useReactivate(mandant_id: string, onDone: () => void) {
  const forget = useForget(onDone);
  return useMutation({
    mutationFn: () => call('mandantReaktivieren', { params: { mandant_id } }),
    onSuccess: forget,
  });
}
