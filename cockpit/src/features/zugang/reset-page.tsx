import { useMutation, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../api/call.ts';
import { useErrorText } from '../../api/use-error-text.ts';
import { buttonClass } from '../../ui/button.tsx';
import { Form, textOf } from '../../ui/form.tsx';
import { Notice } from '../../ui/notice.tsx';
import { isDeadLink } from './dead-link.ts';
import { Gate } from './gate.tsx';
import { NewPasswordField } from './new-password-field.tsx';

const route = getRouteApi('/passwort-neu');

function useReset(token: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (passwort: string) => call('passwortNeu', { body: { token, passwort } }),
    // A session in this browser has ended, too.
    onSuccess: () => client.clear(),
  });
}

function DeadLink() {
  const { t } = useTranslation();
  return (
    <>
      <Notice tone="warn" live>
        {t('zugang.deadResetText')}
      </Notice>
      <Link to="/passwort-vergessen" className={buttonClass('primary')}>
        {t('zugang.newLink')}
      </Link>
    </>
  );
}

function Done() {
  const { t } = useTranslation();
  return (
    <>
      <Notice tone="good" live>
        {t('zugang.resetDoneText')}
      </Notice>
      <Link to="/anmelden" className={buttonClass('primary')}>
        {t('zugang.toLogin')}
      </Link>
    </>
  );
}

/** Sets a new password with the link from a mail. */
export function ResetPage(): ReactNode {
  const { t } = useTranslation();
  const { fieldError } = useErrorText();
  const { token } = route.useSearch();
  const { data, error, isPending, mutate } = useReset(token);
  if (token === '' || isDeadLink(error)) {
    return (
      <Gate title={t('zugang.deadReset')}>
        <DeadLink />
      </Gate>
    );
  }
  if (data) {
    return (
      <Gate title={t('zugang.resetDone')}>
        <Done />
      </Gate>
    );
  }
  return (
    <Gate title={t('zugang.resetTitle')}>
      <p className="text-ink-2">{t('zugang.resetText')}</p>
      <Form
        wide
        confirm={t('zugang.setPassword')}
        error={error}
        busy={isPending}
        onSubmit={(form) => mutate(textOf(form, 'passwort'))}
      >
        <NewPasswordField
          label={t('zugang.newPassword')}
          name="passwort"
          autoFocus
          error={fieldError(error, 'passwort')}
        />
      </Form>
    </Gate>
  );
}
