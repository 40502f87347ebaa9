/** Making, limiting and blocking API keys. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { call } from '../../api/call.ts';
import type { InputOf } from '../../api/operations.ts';
import { anbindungQuery, erststartQuery, ichQuery, schluesselQuery } from '../../api/queries.ts';

/** Whether the signed-in user may create, limit and block keys. */
export function useMayManageKeys(): boolean {
  return useQuery(ichQuery).data?.rechte.includes('schluessel.verwalten') ?? false;
}

function useRefresh() {
  const client = useQueryClient();
  return () => {
    for (const { queryKey } of [anbindungQuery, erststartQuery, schluesselQuery])
      client.invalidateQueries({ queryKey });
  };
}

export function useCreateKey(onCreated: (key: string) => void) {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: (body: InputOf<'schluesselAnlegen'>['body']) => call('schluesselAnlegen', { body }),
    onSuccess: (created) => {
      onCreated(created.schluessel);
      refresh();
    },
  });
}

export function useChangeKey(schluessel_id: string, onChanged: () => void) {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: (body: InputOf<'schluesselAendern'>['body']) =>
      call('schluesselAendern', { params: { schluessel_id }, body }),
    onSuccess: () => {
      onChanged();
      refresh();
    },
  });
}

export function useBlockKey(onBlocked: () => void) {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: (schluessel_id: string) => call('schluesselSperren', { params: { schluessel_id } }),
    onSuccess: () => {
      onBlocked();
      refresh();
    },
  });
}
