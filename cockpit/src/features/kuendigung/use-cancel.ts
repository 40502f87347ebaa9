import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { call } from '../../api/call.ts';
import type { InputOf } from '../../api/operations.ts';
import type { Ich } from '../../api/types.ts';
import type { Farewell } from './farewell.ts';

/** Cancels the account and says goodbye; there is no session any more afterwards. */
export function useCancel({ firma, mandant_id, zeitzone }: Ich['mandant']) {
  const client = useQueryClient();
  const navigate = useNavigate();
  return useMutation({
    mutationFn: (body: InputOf<'kontoKuendigen'>['body']) => call('kontoKuendigen', { body }),
    onSuccess: async ({ loeschung_ab }) => {
      const farewell: Farewell = { firma, mandant_id, zeitzone, loeschung_ab };
      await navigate({ to: '/abschied', replace: true, state: { farewell } });
      client.clear();
    },
  });
}
