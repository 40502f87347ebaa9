import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useErrorText } from '../../api/use-error-text.ts';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { PasswordField } from '../../ui/password-field.tsx';
import { useSignInAgain } from './use-second-factor.ts';

interface SignInAgainProps {
  email: string;
  onDone: () => void;
  onClose: () => void;
}

/** Asks for the password where the session began too long ago for what was asked. */
export function SignInAgainDialog({ email, onDone, onClose }: SignInAgainProps) {
  const { t } = useTranslation();
  const { sentence } = useErrorText();
  const [password, setPassword] = useState('');
  const { error, isPending, mutate } = useSignInAgain(email, onDone);
  return (
    <FormDialog
      title={t('sicherheit.againTitle')}
      description={t('sicherheit.againText')}
      confirm={t('sicherheit.again')}
      error={error ? sentence(error) : undefined}
      busy={isPending}
      disabled={password === ''}
      onSubmit={() => mutate(password)}
      onClose={onClose}
    >
      <input type="text" autoComplete="username" readOnly hidden value={email} />
      <PasswordField
        label={t('sicherheit.password')}
        autoComplete="current-password"
        autoFocus
        value={password}
        onChange={(event) => setPassword(event.target.value)}
      />
    </FormDialog>
  );
}
