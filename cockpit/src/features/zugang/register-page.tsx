import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../api/call.ts';
import type { InputOf } from '../../api/operations.ts';
import { useErrorText } from '../../api/use-error-text.ts';
import { linkClass } from '../../ui/button.tsx';
import { CheckField, TextField } from '../../ui/field.tsx';
import { Form, textOf } from '../../ui/form.tsx';
import { Gate } from './gate.tsx';
import { NewPasswordField } from './new-password-field.tsx';
import { useArrival } from './use-arrival.ts';

type Registration = InputOf<'registrieren'>['body'];

const toRegistration = (form: FormData): Registration => ({
  firma: textOf(form, 'firma').trim(),
  email: textOf(form, 'email').trim(),
  passwort: textOf(form, 'passwort'),
  avv_akzeptiert: form.get('avv_akzeptiert') === 'on',
});

function useRegistration() {
  const arrive = useArrival();
  return useMutation({
    mutationFn: (body: Registration) => call('registrieren', { body }),
    onSuccess: (ich) => arrive(ich, '/anbindung'),
  });
}

/** Leads to the text in another tab: what is typed here stays. */
function AgreementHint() {
  const { t } = useTranslation();
  return (
    <>
      {t('zugang.agreementHint')}{' '}
      <Link to="/avv" target="_blank" className={linkClass}>
        {t('zugang.agreementRead')}
      </Link>
    </>
  );
}

function Fields({ error }: { error: unknown }) {
  const { t } = useTranslation();
  const { fieldError } = useErrorText();
  const [company, setCompany] = useState('');
  const [email, setEmail] = useState('');
  return (
    <>
      <TextField
        label={t('zugang.company')}
        name="firma"
        autoComplete="organization"
        autoFocus
        onChange={(event) => setCompany(event.target.value)}
        error={fieldError(error, 'firma')}
      />
      <TextField
        label={t('zugang.email')}
        name="email"
        type="email"
        autoComplete="username"
        onChange={(event) => setEmail(event.target.value)}
        error={fieldError(error, 'email')}
      />
      <NewPasswordField
        label={t('zugang.password')}
        name="passwort"
        known={[company, email]}
        error={fieldError(error, 'passwort')}
      />
      <CheckField
        label={t('zugang.agreement')}
        hint={<AgreementHint />}
        name="avv_akzeptiert"
        error={fieldError(error, 'avv_akzeptiert')}
      />
    </>
  );
}

/** Creates a Mandant with its first user and signs that user in; the next page is the connection page. */
export function RegisterPage(): ReactNode {
  const { t } = useTranslation();
  const { error, isPending, mutate } = useRegistration();
  const other = { question: t('zugang.hasAccount'), name: t('zugang.login'), to: '/anmelden' } as const;
  return (
    <Gate title={t('zugang.register')} other={other}>
      <Form
        wide
        confirm={t('zugang.registerAction')}
        error={error}
        busy={isPending}
        onSubmit={(form) => mutate(toRegistration(form))}
      >
        <Fields error={error} />
      </Form>
    </Gate>
  );
}
