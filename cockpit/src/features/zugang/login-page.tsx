import { getRouteApi, Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useErrorText } from '../../api/use-error-text.ts';
import { linkClass } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import { Form, textOf } from '../../ui/form.tsx';
import { Notice } from '../../ui/notice.tsx';
import { PasswordField } from '../../ui/password-field.tsx';
import { CodeStep } from './code-step.tsx';
import { hasSessionEnded } from './ended-session.ts';
import { Gate } from './gate.tsx';
import { SsoLogin } from './sso-login.tsx';
import { type Login, useLogin } from './use-login.ts';

const route = getRouteApi('/anmelden');

/** Why a login with the company account led back here. */
function SsoFailure() {
  const { codeText } = useErrorText();
  const { t } = useTranslation();
  const { fehler } = route.useSearch();
  if (!fehler) return null;
  return (
    <Notice tone="harm" live>
      {codeText(fehler) ?? t('zugang.ssoFailed')}
    </Notice>
  );
}

function ForgotLink({ email }: { email: string }) {
  const { t } = useTranslation();
  return (
    <Link to="/passwort-vergessen" state={{ email }} className={`${linkClass} -mt-2 self-start text-sm`}>
      {t('zugang.forgot')}
    </Link>
  );
}

const toCredentials = (form: FormData) => ({
  email: textOf(form, 'email').trim(),
  passwort: textOf(form, 'passwort'),
});

/** Attempts to log in, by password or with the company account: each forgets what the one before has failed with. */
function useAttempts(login: Login) {
  const [missing, setMissing] = useState(false);
  // Logins by password; the other way forgets what it failed with when one begins.
  const [byPassword, setByPassword] = useState(0);
  const [hasTried, setHasTried] = useState(false);
  const beginAnew = (isMissing: boolean) => {
    setHasTried(true);
    setMissing(isMissing);
    login.forget();
  };
  const submit = (form: FormData) => {
    beginAnew(false);
    setByPassword(byPassword + 1);
    login.begin(toCredentials(form));
  };
  return { missing, byPassword, hasTried, beginAnew, submit };
}

interface PasswordStepProps {
  login: Login;
  email: string;
  onEmail: (email: string) => void;
}

/** First step of a login: address and password, or the company account. */
function PasswordStep({ login, email, onEmail }: PasswordStepProps) {
  const { t } = useTranslation();
  const { fieldError } = useErrorText();
  const { missing, byPassword, hasTried, beginAnew, submit } = useAttempts(login);
  const { error, isPending } = login;
  return (
    <>
      {!hasTried && <SsoFailure />}
      {!hasTried && hasSessionEnded() && <Notice>{t('zugang.sessionEnded')}</Notice>}
      <Form
        wide
        confirm={t('zugang.login')}
        error={error}
        busy={isPending}
        onSubmit={submit}
        actions={
          <SsoLogin
            key={byPassword}
            field="email"
            onBegin={() => beginAnew(false)}
            onMissing={() => beginAnew(true)}
          />
        }
      >
        <TextField
          label={t('zugang.email')}
          name="email"
          type="email"
          autoComplete="username"
          autoFocus
          defaultValue={email}
          onChange={(event) => onEmail(event.target.value)}
          error={missing ? t('fault.email') : fieldError(error, 'email')}
        />
        <PasswordField
          label={t('zugang.password')}
          name="passwort"
          autoComplete="current-password"
          error={fieldError(error, 'passwort')}
        />
        <ForgotLink email={email} />
      </Form>
    </>
  );
}

/** Signs a user in. */
export function LoginPage(): ReactNode {
  const { t } = useTranslation();
  const login = useLogin();
  const [email, setEmail] = useState('');
  const other = { question: t('zugang.noAccount'), name: t('zugang.register'), to: '/registrieren' } as const;
  if (login.waiting) {
    return (
      <Gate title={t('zugang.codeTitle')}>
        <CodeStep login={login} />
      </Gate>
    );
  }
  return (
    <Gate title={t('zugang.login')} other={other}>
      <PasswordStep login={login} email={email} onEmail={setEmail} />
      <Link to="/status" className={`${linkClass} self-start text-sm`}>
        {t('shell.status')}
      </Link>
    </Gate>
  );
}
