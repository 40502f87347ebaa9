import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { DayField } from '../../ui/day-field.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { type Days, lengthOf, maxDays, toZeitraum } from './zeitraum.ts';

interface PeriodDialogProps {
  days: Days;
  today: string;
  onChange: (zeitraum: string) => void;
  onClose: () => void;
}

/** A period of one's own: first and last day. */
export function PeriodDialog({ days, today, onChange, onClose }: PeriodDialogProps) {
  const { t } = useTranslation();
  const [first, setFirst] = useState(days.first);
  const [last, setLast] = useState(days.last < today ? days.last : today);
  // Two days in the wrong order can only mean one thing.
  const chosen = first <= last ? { first, last } : { first: last, last: first };
  const tooLong = lengthOf(chosen) > maxDays;
  const submit = () => {
    onChange(toZeitraum(chosen, today));
    onClose();
  };
  return (
    <FormDialog
      title={t('zeitraum.customTitle')}
      description={t('zeitraum.customHint')}
      confirm={t('zeitraum.apply')}
      disabled={tooLong || first === '' || last === ''}
      onSubmit={submit}
      onClose={onClose}
    >
      <div className="grid grid-cols-2 gap-3">
        <DayField label={t('zeitraum.first')} max={today} value={first} onChange={setFirst} />
        <DayField
          label={t('zeitraum.last')}
          max={today}
          value={last}
          onChange={setLast}
          error={tooLong ? t('zeitraum.tooLong', { count: maxDays }) : undefined}
        />
      </div>
    </FormDialog>
  );
}
