import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../api/call.ts';
import type { InputOf } from '../../api/operations.ts';
import { ichQuery } from '../../api/queries.ts';
import { useErrorText } from '../../api/use-error-text.ts';
import { CheckField, TextField } from '../../ui/field.tsx';
import { AccessForm, textOf } from './access-form.tsx';
import { Gate } from './gate.tsx';

type Registration = InputOf<'registrieren'>['body'];

const toRegistration = (form: FormData): Registration => ({
  firma: textOf(form, 'firma').trim(),
  email: textOf(form, 'email').trim(),
  passwort: textOf(form, 'passwort'),
  avv_akzeptiert: form.get('avv_akzeptiert') === 'on',
});

function useRegistration() {
  const client = useQueryClient();
  const navigate = useNavigate();
  return useMutation({
    mutationFn: (body: Registration) => call('registrieren', { body }),
    onSuccess: (ich) => {
      client.clear();
      client.setQueryData(ichQuery.queryKey, ich);
      navigate({ to: '/anbindung' });
    },
  });
}

function Fields({ error }: { error: unknown }) {
  const { t } = useTranslation();
  const { fieldError } = useErrorText();
  return (
    <>
      <TextField
        label={t('zugang.company')}
        name="firma"
        autoComplete="organization"
        autoFocus
        error={fieldError(error, 'firma')}
      />
      <TextField
        label={t('zugang.email')}
        name="email"
        type="email"
        autoComplete="username"
        error={fieldError(error, 'email')}
      />
      <TextField
        label={t('zugang.password')}
        hint={t('zugang.passwordHint')}
        name="passwort"
        type="password"
        autoComplete="new-password"
        error={fieldError(error, 'passwort')}
      />
      <CheckField
        label={t('zugang.agreement')}
        hint={t('zugang.agreementHint')}
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
      <AccessForm
        confirm={t('zugang.registerAction')}
        error={error}
        busy={isPending}
        onSubmit={(form) => mutate(toRegistration(form))}
      >
        <Fields error={error} />
      </AccessForm>
    </Gate>
  );
}
