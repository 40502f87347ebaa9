import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { codeOf } from '../../api/error.ts';
import { useErrorText } from '../../api/use-error-text.ts';
import { OwnCodeField } from '../../ui/code-field.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { PasswordField } from '../../ui/password-field.tsx';
import { useSwitchOff } from './use-second-factor.ts';

/** Asks for the password and a code before the second factor is switched off. */
export function SwitchOffDialog({ email, onClose }: { email: string; onClose: () => void }) {
  const { t } = useTranslation();
  const { sentence, fieldError } = useErrorText();
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const { error, isPending, mutate } = useSwitchOff(onClose);
  return (
    <FormDialog
      title={t('sicherheit.switchOffTitle')}
      description={t('sicherheit.switchOffText')}
      confirm={t('sicherheit.switchOff')}
      error={error ? sentence(error) : undefined}
      busy={isPending}
      disabled={password === '' || code.trim() === ''}
      onSubmit={() => mutate({ passwort: password, code })}
      onClose={onClose}
    >
      <input type="text" autoComplete="username" readOnly hidden value={email} />
      <PasswordField
        label={t('sicherheit.password')}
        autoComplete="current-password"
        autoFocus
        value={password}
        onChange={(event) => setPassword(event.target.value)}
        error={fieldError(error, 'passwort')}
        aria-invalid={codeOf(error) === 'passwort_falsch' || undefined}
      />
      <OwnCodeField
        value={code}
        onChange={(event) => setCode(event.target.value)}
        error={fieldError(error, 'code')}
        aria-invalid={codeOf(error) === 'code_falsch' || undefined}
      />
    </FormDialog>
  );
}
