import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Budget } from '../../api/types.ts';
import { useErrorText } from '../../api/use-error-text.ts';
import { readNumber, writeNumber } from '../../format/typed-number.ts';
import { useFormat } from '../../format/use-format.ts';
import { Button } from '../../ui/button.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { useMayProtect } from '../eingriffe/index.ts';
import { AmountField, LevelField } from './budget-fields.tsx';
import { useSetBudget } from './use-set-budget.ts';

/** What a budget is of; `budget_eur` null where there is none yet. */
export interface Target extends Pick<Budget, 'objekt_art' | 'objekt_id' | 'name' | 'bei_erreichen'> {
  budget_eur: string | null;
}

/** Sets, changes or removes one budget. */
function BudgetDialog({ of, onClose }: { of: Target; onClose: () => void }) {
  const { t } = useTranslation();
  const { language } = useFormat();
  const { sentence } = useErrorText();
  const [amount, setAmount] = useState(writeNumber(of.budget_eur ?? '', language));
  const [level, setLevel] = useState(of.bei_erreichen);
  const save = useSetBudget(onClose);
  return (
    <FormDialog
      title={t('budgets.dialogOf', { name: of.name, interpolation: { escapeValue: false } })}
      description={t('budgets.hint')}
      confirm={t('ui.save')}
      error={save.error ? sentence(save.error) : undefined}
      busy={save.isPending}
      onSubmit={() =>
        save.mutate({ of, betrag_eur: readNumber(amount, language) || null, bei_erreichen: level })
      }
      onClose={onClose}
    >
      <AmountField
        value={amount}
        onChange={setAmount}
        error={save.error}
        hint={of.budget_eur !== null && t('budgets.amountHint')}
      />
      <LevelField value={level} onChange={setLevel} />
    </FormDialog>
  );
}

/** Opens a budget; nothing for users who may not set it. */
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
