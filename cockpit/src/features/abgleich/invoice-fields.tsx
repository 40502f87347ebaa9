import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { useErrorText } from '../../api/use-error-text.ts';
import { SelectField, TextAreaField, TextField } from '../../ui/field.tsx';
import type { Draft } from './draft.ts';
import { useMonths } from './use-months.ts';

interface InvoiceFieldsProps {
  draft: Draft;
  /** Names of those that were counted. */
  providers: string[];
  error: unknown;
  onChange: (draft: Draft) => void;
}

interface FieldsProps extends InvoiceFieldsProps {
  /** What every typed field has. */
  typed: (name: keyof Draft) => {
    autoComplete: string;
    value: string;
    error: string | undefined;
    onChange: (event: { target: { value: string } }) => void;
  };
}

/** Whose invoice it is, and of when. */
function Subject({ draft, providers, onChange, typed }: FieldsProps) {
  const { t } = useTranslation();
  const list = useId();
  return (
    <>
      <TextField
        label={t('abgleich.provider')}
        hint={t('abgleich.providerHint')}
        list={list}
        maxLength={200}
        {...typed('anbieter')}
      />
      <datalist id={list}>
        {providers.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
      <SelectField
        label={t('abgleich.month')}
        options={useMonths(draft.monat)}
        value={draft.monat}
        error={typed('monat').error}
        onChange={(monat) => onChange({ ...draft, monat })}
      />
    </>
  );
}

function Amount({ draft, onChange, typed }: FieldsProps) {
  const { t } = useTranslation();
  return (
    <>
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField
          label={t('abgleich.amount')}
          hint={t('abgleich.amountHint')}
          inputMode="decimal"
          {...typed('betrag')}
        />
        <SelectField
          label={t('abgleich.currency')}
          options={['EUR', 'USD'].map((value) => ({ value, label: value }))}
          value={draft.waehrung}
          onChange={(next) => onChange({ ...draft, waehrung: next === 'USD' ? 'USD' : 'EUR' })}
        />
      </div>
      {draft.waehrung === 'USD' && (
        <TextField
          label={t('abgleich.rateField')}
          hint={t('abgleich.rateHint')}
          inputMode="decimal"
          {...typed('kurs')}
        />
      )}
    </>
  );
}

/** What is put in of an invoice. */
export function InvoiceFields(props: InvoiceFieldsProps) {
  const { t } = useTranslation();
  const { draft, error, onChange } = props;
  const { fieldError } = useErrorText();
  const typed = (name: keyof Draft) => ({
    autoComplete: 'off',
    value: draft[name],
    error: fieldError(error, name),
    onChange: ({ target }: { target: { value: string } }) => onChange({ ...draft, [name]: target.value }),
  });
  return (
    <>
      <Subject {...props} typed={typed} />
      <Amount {...props} typed={typed} />
      <TextField label={t('abgleich.number')} maxLength={60} {...typed('rechnungsnummer')} />
      <TextAreaField label={t('abgleich.note')} maxLength={500} {...typed('notiz')} />
    </>
  );
}
