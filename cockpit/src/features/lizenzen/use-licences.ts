/** Making licences out, blocking them and letting them go. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../../api/call.ts';
import type { AnswerOf, InputOf } from '../../api/operations.ts';
import { lizenzenQuery } from '../../api/queries.ts';

/** The answer to a licence that was made: the only time it is shown. */
export type Issued = AnswerOf<'lizenzErzeugen'>;

function useRefresh() {
  const client = useQueryClient();
  return () => client.invalidateQueries({ queryKey: lizenzenQuery.queryKey });
}

export function useIssue(onIssued: (issued: Issued) => void) {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: (body: InputOf<'lizenzErzeugen'>['body']) => call('lizenzErzeugen', { body }),
    onSuccess: (issued) => {
      onIssued(issued);
      refresh();
    },
  });
}

export function useBlock(onBlocked: () => void) {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: (body: InputOf<'lizenzSperren'>['body']) => call('lizenzSperren', { body }),
    onSuccess: () => {
      onBlocked();
      refresh();
    },
  });
}

export function useUnblock(onUnblocked: () => void) {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: (lizenz_id: string) => call('lizenzEntsperren', { body: { lizenz_id } }),
    onSuccess: () => {
      onUnblocked();
      refresh();
    },
  });
}
