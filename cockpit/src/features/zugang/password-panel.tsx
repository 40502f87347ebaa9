import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../api/call.ts';
import { codeOf } from '../../api/error.ts';
import type { InputOf } from '../../api/operations.ts';
import { sitzungenQuery } from '../../api/queries.ts';
import type { Ich } from '../../api/types.ts';
import { useErrorText } from '../../api/use-error-text.ts';
import { buttonClass } from '../../ui/button.tsx';
import { Form, textOf } from '../../ui/form.tsx';
import { Panel } from '../../ui/panel.tsx';
import { PasswordField } from '../../ui/password-field.tsx';
import { toast } from '../../ui/toast.tsx';
import { NewPasswordField } from './new-password-field.tsx';

type Change = InputOf<'passwortAendern'>['body'];

function useChange(onChanged: () => void) {
  const { t } = useTranslation();
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: Change) => call('passwortAendern', { body }),
    onSuccess: ({ beendete_sitzungen }) => {
      toast(t('sicherheit.changed', { count: beendete_sitzungen }));
      client.invalidateQueries({ queryKey: sitzungenQuery.queryKey });
      onChanged();
    },
  });
}

function ChangeForm({ ich, onChanged }: { ich: Ich; onChanged: () => void }) {
  const { t } = useTranslation();
  const { fieldError } = useErrorText();
  const { error, isPending, mutate } = useChange(onChanged);
  const wrong = codeOf(error) === 'passwort_falsch';
  return (
    <Form
      confirm={t('sicherheit.change')}
      error={error}
      busy={isPending}
      onSubmit={(form) => mutate({ alt: textOf(form, 'alt'), neu: textOf(form, 'neu') })}
    >
      {/* Tells password managers whose password changes. */}
      <input type="text" autoComplete="username" readOnly hidden value={ich.benutzer.email} />
      <PasswordField
        label={t('sicherheit.oldPassword')}
        name="alt"
        autoComplete="current-password"
        error={fieldError(error, 'alt')}
        aria-invalid={wrong || undefined}
      />
      <NewPasswordField
        label={t('sicherheit.newPassword')}
        name="neu"
        known={[ich.benutzer.email, ich.mandant.firma]}
        error={fieldError(error, 'neu')}
      />
      <p className="text-xs text-ink-3">{t('sicherheit.changeHint')}</p>
    </Form>
  );
}

function NoPassword({ email }: { email: string }) {
  const { t } = useTranslation();
  return (
    <div className="flex flex-col items-start gap-3 text-ink-2">
      <p>
        {t('sicherheit.noPassword')} {t('sicherheit.noPasswordHint')}
      </p>
      <Link to="/passwort-vergessen" state={{ email }} className={buttonClass()}>
        {t('sicherheit.requestPassword')}
      </Link>
    </div>
  );
}

/** Changes the own password; says how to get one where there is none. */
export function PasswordPanel({ ich }: { ich: Ich }) {
  const { t } = useTranslation();
  // A changed password leaves empty fields behind.
  const [times, setTimes] = useState(0);
  return (
    <Panel title={t('sicherheit.password')}>
      <div className="max-w-sm">
        {ich.benutzer.passwort_gesetzt ? (
          <ChangeForm key={times} ich={ich} onChanged={() => setTimes(times + 1)} />
        ) : (
          <NoPassword email={ich.benutzer.email} />
        )}
      </div>
    </Panel>
  );
}
