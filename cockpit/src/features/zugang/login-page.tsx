import { useMutation, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, useRouter } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../api/call.ts';
import { ApiError } from '../../api/error.ts';
import type { InputOf } from '../../api/operations.ts';
import { ichQuery } from '../../api/queries.ts';
import { useErrorText } from '../../api/use-error-text.ts';
import { TextField } from '../../ui/field.tsx';
import { AccessForm, textOf } from './access-form.tsx';
import { Gate } from './gate.tsx';

const route = getRouteApi('/anmelden');

/** Whether the service asks for a second factor that was not given or was wrong. */
const wantsCode = (error: unknown) => error instanceof ApiError && /code|faktor/.test(error.code);

type Credentials = InputOf<'anmelden'>['body'];

function toCredentials(form: FormData): Credentials {
  const code = textOf(form, 'code').trim();
  const email = textOf(form, 'email').trim();
  return { email, passwort: textOf(form, 'passwort'), ...(code ? { code } : {}) };
}

function useLogin() {
  const client = useQueryClient();
  const router = useRouter();
  const { ziel } = route.useSearch();
  return useMutation({
    mutationFn: (body: Credentials) => call('anmelden', { body }),
    onSuccess: (ich) => {
      client.clear();
      client.setQueryData(ichQuery.queryKey, ich);
      router.history.push(ziel ?? '/');
    },
  });
}

/** The code of the second factor: asked for when it is needed, or when the reader knows it will be. */
function CodeField({ error }: { error: unknown }) {
  const { t } = useTranslation();
  const { fieldError } = useErrorText();
  const [shown, setShown] = useState(false);
  if (!shown && !wantsCode(error)) {
    return (
      <button
        type="button"
        onClick={() => setShown(true)}
        className="-my-1 min-h-6 self-start text-xs text-ink-2 underline hover:text-ink"
      >
        {t('zugang.codeShow')}
      </button>
    );
  }
  return (
    <TextField
      label={t('zugang.code')}
      hint={t('zugang.codeHint')}
      name="code"
      inputMode="numeric"
      autoComplete="one-time-code"
      maxLength={8}
      error={fieldError(error, 'code')}
    />
  );
}

/** Signs a user in. */
export function LoginPage(): ReactNode {
  const { t } = useTranslation();
  const { fieldError } = useErrorText();
  const { error, isPending, mutate } = useLogin();
  const other = { question: t('zugang.noAccount'), name: t('zugang.register'), to: '/registrieren' } as const;
  return (
    <Gate title={t('zugang.login')} other={other}>
      <AccessForm
        confirm={t('zugang.login')}
        error={error}
        busy={isPending}
        onSubmit={(form) => mutate(toCredentials(form))}
      >
        <TextField
          label={t('zugang.email')}
          name="email"
          type="email"
          autoComplete="username"
          autoFocus
          error={fieldError(error, 'email')}
        />
        <TextField
          label={t('zugang.password')}
          name="passwort"
          type="password"
          autoComplete="current-password"
          error={fieldError(error, 'passwort')}
        />
        <CodeField error={error} />
      </AccessForm>
    </Gate>
  );
}
