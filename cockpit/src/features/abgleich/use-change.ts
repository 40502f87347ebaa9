/** Changing what providers invoice. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../../api/call.ts';
import type { InputOf } from '../../api/operations.ts';
import { toast } from '../../ui/toast.tsx';

type Change = 'rechnungErfassen' | 'rechnungAendern' | 'rechnungEntfernen';

/** A change that reads the months anew, says that it is done and closes its dialog. */
export function useChange<N extends Change>(name: N, said: string, onDone: () => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (input: InputOf<N>) => call(name, input),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: ['abgleich'] });
      toast(said);
      onDone();
    },
  });
}
