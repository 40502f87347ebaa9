import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../api/call.ts';
import { agentenQuery, projekteQuery } from '../../api/queries.ts';
import type { Budget } from '../../api/types.ts';
import { useErrorText } from '../../api/use-error-text.ts';
import { readNumber, writeNumber } from '../../format/typed-number.ts';
import { useFormat } from '../../format/use-format.ts';
import { Button } from '../../ui/button.tsx';
import { SelectField, TextField } from '../../ui/field.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { toast } from '../../ui/toast.tsx';
import { useMayProtect } from '../eingriffe/index.ts';

/** What a budget is of; `budget_eur` null where there is none yet. */
export interface Target extends Pick<Budget, 'objekt_art' | 'objekt_id' | 'name'> {
  budget_eur: string | null;
}

function useSetBudget(onClose: () => void) {
  const { t } = useTranslation();
  const client = useQueryClient();
  return useMutation<
    unknown,
    Error,
    { of: Pick<Target, 'objekt_art' | 'objekt_id'>; betrag_eur: string | null }
  >({
    mutationFn: ({ of, betrag_eur }) =>
      of.objekt_art === 'agent'
        ? call('budgetAgent', { params: { agent_id: of.objekt_id }, body: { betrag_eur } })
        : call('budgetProjekt', { params: { projekt_id: of.objekt_id }, body: { betrag_eur } }),
    onSuccess: () => {
      client.invalidateQueries();
      toast(t('budgets.saved'));
      onClose();
    },
  });
}

/** Sets, changes or removes the budget of one agent or project. */
function BudgetDialog({ of, onClose }: { of: Target; onClose: () => void }) {
  const { t } = useTranslation();
  const { language } = useFormat();
  const { sentence, fieldError } = useErrorText();
  const [amount, setAmount] = useState(writeNumber(of.budget_eur ?? '', language));
  const save = useSetBudget(onClose);
  return (
    <FormDialog
      title={t('budgets.dialogOf', { name: of.name, interpolation: { escapeValue: false } })}
      description={t('budgets.hint')}
      confirm={t('ui.save')}
      error={save.error ? sentence(save.error) : undefined}
      busy={save.isPending}
      onSubmit={() => save.mutate({ of, betrag_eur: readNumber(amount, language) || null })}
      onClose={onClose}
    >
      <TextField
        label={t('budgets.amount')}
        hint={of.budget_eur !== null && t('budgets.amountHint')}
        value={amount}
        inputMode="decimal"
        autoComplete="off"
        onChange={(event) => setAmount(event.target.value)}
        error={fieldError(save.error, 'betrag_eur')}
      />
    </FormDialog>
  );
}

/** Sets a budget for an agent or project that is chosen first. */
export function NewBudgetDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const { language } = useFormat();
  const { sentence, fieldError } = useErrorText();
  const agents = useQuery(agentenQuery('30tage')).data?.agenten ?? [];
  const projects = useQuery(projekteQuery).data?.projekte ?? [];
  const options = [
    ...agents.map(({ agent_id, name }) => ({
      value: `agent ${agent_id}`,
      label: t('budgets.agent', { name }),
    })),
    ...projects.map(({ projekt_id, name }) => ({
      value: `projekt ${projekt_id}`,
      label: t('budgets.project', { name }),
    })),
  ];
  const [wanted, setWanted] = useState<string | null>(null);
  const [amount, setAmount] = useState('');
  const save = useSetBudget(onClose);
  const chosen = wanted ?? options[0]?.value ?? '';
  const submit = () => {
    const [art, objekt_id = ''] = chosen.split(' ');
    const of = { objekt_art: art === 'agent' ? ('agent' as const) : ('projekt' as const), objekt_id };
    save.mutate({ of, betrag_eur: readNumber(amount, language) });
  };
  return (
    <FormDialog
      title={t('budgets.dialog')}
      description={t('budgets.hint')}
      confirm={t('ui.save')}
      error={save.error ? sentence(save.error) : undefined}
      busy={save.isPending}
      disabled={chosen === ''}
      onSubmit={submit}
      onClose={onClose}
    >
      <SelectField label={t('budgets.forWhat')} value={chosen} options={options} onChange={setWanted} />
      <TextField
        label={t('budgets.amount')}
        value={amount}
        inputMode="decimal"
        autoComplete="off"
        onChange={(event) => setAmount(event.target.value)}
        error={fieldError(save.error, 'betrag_eur')}
      />
    </FormDialog>
  );
}

/** Opens the budget of an agent or project; nothing for whoever may not set it. */
export function BudgetButton({ of, label }: { of: Target; label?: string }) {
  const { t } = useTranslation();
  const may = useMayProtect();
  const [open, setOpen] = useState(false);
  if (!may) return null;
  return (
    <>
      <Button onClick={() => setOpen(true)}>{label ?? t('budgets.one')}</Button>
      {open && <BudgetDialog of={of} onClose={() => setOpen(false)} />}
    </>
  );
}
