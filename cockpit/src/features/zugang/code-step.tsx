import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useErrorText } from '../../api/use-error-text.ts';
import { Button, linkClass } from '../../ui/button.tsx';
import { CodeField } from '../../ui/code-field.tsx';
import { TextField } from '../../ui/field.tsx';
import { Form, textOf } from '../../ui/form.tsx';
import type { Login } from './use-login.ts';

/** The code from the app, or one of the recovery codes. */
function CodeInput({ login, recovery }: { login: Login; recovery: boolean }) {
  const { t } = useTranslation();
  const { fieldError } = useErrorText();
  const field = {
    name: 'code',
    autoFocus: true,
    error: fieldError(login.error, 'code'),
    'aria-invalid': login.wrongCode || undefined,
  };
  if (!recovery) return <CodeField label={t('zugang.code')} hint={t('zugang.codeHint')} {...field} />;
  return (
    <TextField
      label={t('zugang.recoveryCode')}
      hint={t('zugang.recoveryHint')}
      autoComplete="off"
      autoCapitalize="none"
      spellCheck={false}
      className="font-mono"
      {...field}
    />
  );
}

/** Second step of a login. */
export function CodeStep({ login }: { login: Login }) {
  const { t } = useTranslation();
  const [recovery, setRecovery] = useState(false);
  const change = () => {
    setRecovery(!recovery);
    login.forget();
  };
  return (
    <Form
      wide
      confirm={t('zugang.login')}
      error={login.error}
      busy={login.isPending}
      actions={<Button onClick={login.back}>{t('zugang.back')}</Button>}
      // Codes are shown and pasted in groups.
      onSubmit={(form) => login.confirm(textOf(form, 'code').replace(/\s/g, ''))}
    >
      <CodeInput login={login} recovery={recovery} />
      <button type="button" onClick={change} className={`${linkClass} -my-1 self-start text-sm`}>
        {t(recovery ? 'zugang.useApp' : 'zugang.useRecovery')}
      </button>
    </Form>
  );
}
