/** The user's views: opened, kept, changed, removed. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useLocation, useRouter } from '@tanstack/react-router';
import { call } from '../../api/call.ts';
import type { InputOf } from '../../api/operations.ts';
import { ansichtenQuery } from '../../api/queries.ts';
import type { Ansicht } from '../../api/types.ts';
import { addressOf, type Shown, shownAt } from './search.ts';

/** What is shown now. */
export const useShown = (): Shown => shownAt(useLocation());

/** Goes to a view as it was kept; what the page before was looking at is left behind. */
export function useOpenView(): (view: Shown) => void {
  const { history } = useRouter();
  return (view) => history.push(addressOf(view));
}

function useRefresh() {
  const client = useQueryClient();
  return () => client.invalidateQueries({ queryKey: ansichtenQuery.queryKey });
}

interface Wish extends Shown {
  name: string;
  /** The view that has this name already and is to show this instead. */
  instead: Ansicht | undefined;
}

/** Keeps a view, or overwrites what one shows. */
export function useKeepView(onKept: (view: Ansicht) => void) {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: ({ instead, name, pfad, suche }: Wish) =>
      instead
        ? call('ansichtAendern', {
            params: { ansicht_id: instead.ansicht_id },
            body: { pfad, suche },
          })
        : call('ansichtAnlegen', { body: { name, pfad, suche } }),
    onSuccess: (view) => {
      onKept(view);
      return refresh();
    },
    // It may be gone, or the name taken, elsewhere.
    onError: refresh,
  });
}

type Renaming = InputOf<'ansichtAendern'>['params'] & { name: string };

export function useRenameView(onRenamed: () => void) {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: ({ ansicht_id, name }: Renaming) =>
      call('ansichtAendern', { params: { ansicht_id }, body: { name } }),
    onSuccess: async () => {
      await refresh();
      onRenamed();
    },
  });
}

export function useRemoveView(onRemoved: () => void) {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: (ansicht_id: string) => call('ansichtEntfernen', { params: { ansicht_id } }),
    onSuccess: async () => {
      await refresh();
      onRemoved();
    },
  });
}
