/** What every dialog about a budget asks: how much, and what is done once it is spent. */
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Budget } from '../../api/types.ts';
import { useErrorText } from '../../api/use-error-text.ts';
import { SelectField, TextField } from '../../ui/field.tsx';

interface AmountProps {
  value: string;
  onChange: (value: string) => void;
  error: Error | null;
  hint?: ReactNode;
}

/** The amount as it is typed. */
export function AmountField({ value, onChange, error, hint }: AmountProps) {
  const { t } = useTranslation();
  const { fieldError } = useErrorText();
  return (
    <TextField
      label={t('budgets.amount')}
      hint={hint}
      value={value}
      inputMode="decimal"
      autoComplete="off"
      onChange={(event) => onChange(event.target.value)}
      error={fieldError(error, 'betrag_eur')}
    />
  );
}

export type Level = Budget['bei_erreichen'];
const LEVELS: readonly Level[] = ['warnen', 'drosseln', 'sperren'];

/** What the budget does by itself. */
export function LevelField({ value, onChange }: { value: Level; onChange: (value: Level) => void }) {
  const { t } = useTranslation();
  return (
    <SelectField
      label={t('budgets.atFull')}
      hint={t(`budgets.levelHint.${value}`)}
      value={value}
      options={LEVELS.map((level) => ({ value: level, label: t(`budgets.level.${level}`) }))}
      onChange={(chosen) => onChange(LEVELS.find((level) => level === chosen) ?? 'warnen')}
    />
  );
}
