import type { ComponentProps } from 'react';
import { useTranslation } from 'react-i18next';
import { TextField } from '../../ui/field.tsx';

interface AccountingFieldsProps {
  /** What a field of that name shows, and what becomes of what is typed. */
  field: (
    name: 'kostenstelle' | 'debitorenkonto',
  ) => Pick<ComponentProps<typeof TextField>, 'autoComplete' | 'value' | 'error' | 'onChange'>;
}

/** Cost centre and account of an end customer, beside each other. */
export function AccountingFields({ field }: AccountingFieldsProps) {
  const { t } = useTranslation();
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <TextField label={t('weiterbelastung.costCentre')} maxLength={36} {...field('kostenstelle')} />
      <TextField
        label={t('weiterbelastung.account')}
        hint={t('weiterbelastung.accountHint')}
        inputMode="numeric"
        maxLength={9}
        {...field('debitorenkonto')}
      />
    </div>
  );
}
