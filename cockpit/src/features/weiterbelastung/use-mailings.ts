/** Statements that go by mail: what would go, what went, and sending them. */
import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { call } from '../../api/call.ts';
import type { AnswerOf, InputOf } from '../../api/operations.ts';
import { versandprobeQuery, versendungenQuery } from '../../api/queries.ts';

/** How many mails would go, and who is left out. */
export type Outlook = AnswerOf<'abrechnungenVersenden'>;

/** What went, the latest first, and what would go of a month; read again while something is on its way. */
export function useMailings(month: string) {
  const listed = useInfiniteQuery(versendungenQuery);
  const outlook = useQuery(versandprobeQuery(month));
  const rows = listed.data?.pages.flatMap(({ versendungen }) => versendungen);
  const waits = rows?.some(({ erledigt_am }) => erledigt_am === null) ?? false;
  const { refetch } = outlook;
  // What failed in the meantime is among those that would go.
  useEffect(() => {
    if (!waits) void refetch();
  }, [waits, refetch]);
  return { listed, outlook, rows };
}

/** Has statements sent; `onSent` learns how many go. */
export function useSend(onSent: (sent: Outlook) => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: InputOf<'abrechnungenVersenden'>['body']) => call('abrechnungenVersenden', { body }),
    onSuccess: async (sent) => {
      const read = ['abrechnungenVersand', 'abrechnungenVersenden'];
      await Promise.all(read.map((name) => client.invalidateQueries({ queryKey: [name] })));
      onSent(sent);
    },
  });
}
