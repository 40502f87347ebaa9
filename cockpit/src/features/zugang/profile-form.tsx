import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Ich } from '../../api/types.ts';
import { useErrorText } from '../../api/use-error-text.ts';
import { SelectField, TextField } from '../../ui/field.tsx';
import { Form, textOf } from '../../ui/form.tsx';
import { toast } from '../../ui/toast.tsx';
import { useSetProfile } from './use-profile.ts';

type Sprache = Ich['benutzer']['sprache'];

const toSprache = (value: string): Sprache => (value === 'de' || value === 'en' ? value : null);

/** The zones the browser knows; one that was chosen elsewhere is kept. */
const zones = (chosen: string | null): string[] => {
  const known = Intl.supportedValuesOf('timeZone');
  return chosen === null || known.includes(chosen) ? known : [chosen, ...known];
};

interface ChoiceProps<T> {
  value: T;
  onChange: (value: T) => void;
}

function LanguageField({ value, onChange }: ChoiceProps<Sprache>) {
  const { t } = useTranslation();
  const options = [
    { value: '', label: t('profil.browser') },
    { value: 'de', label: 'Deutsch' },
    { value: 'en', label: 'English' },
  ];
  return (
    <SelectField
      label={t('profil.language')}
      hint={t('profil.languageHint')}
      value={value ?? ''}
      options={options}
      onChange={(next) => onChange(toSprache(next))}
    />
  );
}

function ZoneField({ value, onChange, ofCompany }: ChoiceProps<string | null> & { ofCompany: string }) {
  const { t } = useTranslation();
  const options = useMemo(
    () => [
      { value: '', label: t('profil.zoneOfCompany', { zone: ofCompany }) },
      ...zones(value).map((zone) => ({ value: zone, label: zone.replaceAll('_', ' ') })),
    ],
    [t, value, ofCompany],
  );
  return (
    <SelectField
      label={t('profil.zone')}
      hint={t('profil.zoneHint')}
      value={value ?? ''}
      options={options}
      onChange={(next) => onChange(next === '' ? null : next)}
    />
  );
}

/** The own name, language and time zone. */
export function ProfileForm({ benutzer, mandant }: Pick<Ich, 'benutzer' | 'mandant'>) {
  const { t, i18n } = useTranslation();
  const { fieldError } = useErrorText();
  const [sprache, setSprache] = useState(benutzer.sprache);
  const [zeitzone, setZeitzone] = useState(benutzer.zeitzone);
  // In the language that has just been chosen.
  const { error, isPending, mutate } = useSetProfile(() => toast(i18n.t('profil.saved')));
  return (
    <Form
      confirm={t('ui.save')}
      error={error}
      busy={isPending}
      onSubmit={(form) => mutate({ name: textOf(form, 'name'), sprache, zeitzone })}
    >
      <TextField
        label={t('profil.name')}
        name="name"
        autoComplete="name"
        maxLength={120}
        defaultValue={benutzer.name ?? ''}
        error={fieldError(error, 'name')}
      />
      <LanguageField value={sprache} onChange={setSprache} />
      <ZoneField value={zeitzone} onChange={setZeitzone} ofCompany={mandant.zeitzone} />
    </Form>
  );
}
