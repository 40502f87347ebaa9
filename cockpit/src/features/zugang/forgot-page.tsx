import { useMutation } from '@tanstack/react-query';
import { useLocation } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../api/call.ts';
import { useErrorText } from '../../api/use-error-text.ts';
import { linkCommand } from '../../api/use-mailweg.ts';
import { Button, linkClass } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import { Form, textOf } from '../../ui/form.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Gate } from './gate.tsx';

interface SentProps {
  email: string;
  /** The link itself; only outside production. */
  link: string | undefined;
  /** No mail goes: the link is in the log of the service. */
  isLogged: boolean;
  onOther: () => void;
}

/** The same whether or not there is an account: nobody learns who has one. */
function Sent({ email, link, isLogged, onOther }: SentProps) {
  const { t } = useTranslation();
  return (
    <>
      <Notice tone={isLogged ? 'warn' : 'good'} live>
        <span className="break-words">{t(isLogged ? 'zugang.logged' : 'zugang.sent', { email })}</span>
      </Notice>
      <p className="text-sm text-ink-2 [overflow-wrap:anywhere]">
        {isLogged
          ? t('zugang.loggedHint', { command: linkCommand('passwort', email) })
          : t('zugang.sentHint')}
      </p>
      {link && (
        <p className="text-sm text-ink-2">
          {t('zugang.devLink')}{' '}
          <a href={link} className={linkClass}>
            {t('zugang.openLink')}
          </a>
        </p>
      )}
      <Button onClick={onOther}>{t('zugang.otherEmail')}</Button>
    </>
  );
}

/** Has a link sent with which a new password is set. */
export function ForgotPage(): ReactNode {
  const { t } = useTranslation();
  const { fieldError } = useErrorText();
  const known = useLocation({ select: (location) => location.state.email });
  const { data, error, isPending, variables, mutate, reset } = useMutation({
    mutationFn: (email: string) => call('passwortVergessen', { body: { email } }),
  });
  const other = { question: t('zugang.remembered'), name: t('zugang.login'), to: '/anmelden' } as const;
  if (data) {
    const isLogged = data.mailweg === 'log';
    return (
      <Gate title={t(isLogged ? 'zugang.loggedTitle' : 'zugang.sentTitle')} other={other}>
        <Sent email={variables} link={data.link} isLogged={isLogged} onOther={reset} />
      </Gate>
    );
  }
  return (
    <Gate title={t('zugang.forgotTitle')} other={other}>
      <p className="text-ink-2">{t('zugang.forgotText')}</p>
      <Form
        wide
        confirm={t('zugang.sendLink')}
        error={error}
        busy={isPending}
        onSubmit={(form) => mutate(textOf(form, 'email').trim())}
      >
        <TextField
          label={t('zugang.email')}
          name="email"
          type="email"
          autoComplete="username"
          autoFocus
          defaultValue={known}
          error={fieldError(error, 'email')}
        />
      </Form>
    </Gate>
  );
}
