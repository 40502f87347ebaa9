import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { call } from '../../api/call.ts';
import type { Budget } from '../../api/types.ts';
import { toast } from '../../ui/toast.tsx';

interface Wanted {
  of: Pick<Budget, 'objekt_art' | 'objekt_id'>;
  /** Null removes it. */
  betrag_eur: string | null;
  bei_erreichen: Budget['bei_erreichen'];
}

/** Sets a budget where its kind is set. */
function setBudget({ of: { objekt_art, objekt_id }, ...body }: Wanted): Promise<unknown> {
  if (objekt_art === 'agent') return call('budgetAgent', { params: { agent_id: objekt_id }, body });
  if (objekt_art === 'projekt') return call('budgetProjekt', { params: { projekt_id: objekt_id }, body });
  return call('budgetSetzen', { body: { objekt_art, objekt: objekt_id, ...body } });
}

/** Saves, says so and closes. */
export function useSetBudget(onClose: () => void) {
  const { t } = useTranslation();
  const client = useQueryClient();
  return useMutation<unknown, Error, Wanted>({
    mutationFn: setBudget,
    onSuccess: () => {
      client.invalidateQueries();
      toast(t('budgets.saved'));
      onClose();
    },
  });
}
