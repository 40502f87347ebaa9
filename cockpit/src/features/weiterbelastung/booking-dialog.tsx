import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Endkunde } from '../../api/types.ts';
import { useErrorText } from '../../api/use-error-text.ts';
import { TextField } from '../../ui/field.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { AccountingFields } from './accounting-fields.tsx';
import { useChange } from './use-customers.ts';

const FIELDS = ['name', 'kostenstelle', 'debitorenkonto'] as const;
type Field = (typeof FIELDS)[number];

interface BookingDialogProps {
  /** A closed one. */
  month: string;
  of: Endkunde;
  onClose: () => void;
}

/** Corrects how the files for bookkeeping know an end customer of a closed month; amounts and the statement stay. */
export function BookingDialog({ month, of, onClose }: BookingDialogProps) {
  const { t } = useTranslation();
  const { sentence, fieldError } = useErrorText();
  const known = of.buchung ?? { name: null, kostenstelle: null, debitorenkonto: null };
  const [draft, setDraft] = useState<Record<Field, string>>({
    name: known.name ?? '',
    kostenstelle: known.kostenstelle ?? '',
    debitorenkonto: known.debitorenkonto ?? '',
  });
  const change = useChange('buchungBerichtigen', t('weiterbelastung.saved'), onClose);
  const { error } = change;
  const field = (name: Field) => ({
    autoComplete: 'off',
    value: draft[name],
    error: fieldError(error, name),
    onChange: ({ target }: { target: { value: string } }) => setDraft({ ...draft, [name]: target.value }),
  });
  const given = Object.fromEntries(FIELDS.map((name) => [name, draft[name].trim() || null]));
  const submit = () =>
    change.mutate({
      body: { monat: month, zeilen: [{ referenz: of.referenz, ...given }], einstellungen: false },
    });
  return (
    <FormDialog
      title={t('weiterbelastung.booking.title')}
      description={t('weiterbelastung.booking.text', { reference: of.referenz })}
      confirm={t('ui.save')}
      error={error ? sentence(error) : undefined}
      busy={change.isPending}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField
        label={t('weiterbelastung.nameField')}
        hint={t('weiterbelastung.booking.nameHint')}
        maxLength={120}
        {...field('name')}
      />
      <AccountingFields field={field} />
    </FormDialog>
  );
}
