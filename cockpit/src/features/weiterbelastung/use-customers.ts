/** Changing end customers and closing months. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../../api/call.ts';
import type { Callable, InputOf } from '../../api/operations.ts';
import { toast } from '../../ui/toast.tsx';

const BILLED = ['endkunden', 'abrechnung', 'abrechnungsmonate', 'buchhaltungLesen'] as const;

/** Reads anew whatever shows what is charged. */
export function useReadAnew(): () => Promise<unknown> {
  const client = useQueryClient();
  return () => Promise.all(BILLED.map((name) => client.invalidateQueries({ queryKey: [name] })));
}

/** A change that says when it is done and closes its dialog; everything that is charged is read anew. */
export function useChange<N extends Callable>(name: N, said: string, onDone: () => void) {
  const readAnew = useReadAnew();
  return useMutation({
    mutationFn: (input: InputOf<N>) => call(name, input),
    onSuccess: async () => {
      await readAnew();
      toast(said);
      onDone();
    },
  });
}
