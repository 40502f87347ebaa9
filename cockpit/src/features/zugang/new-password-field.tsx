import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { PasswordField } from '../../ui/password-field.tsx';
import { strengthOf } from './strength.ts';

interface NewPasswordFieldProps {
  label: string;
  name: string;
  /** Words others connect with the user, which make a password easy to guess. */
  known?: string[];
  error?: string | undefined;
  autoFocus?: boolean;
}

const tones = { kurz: '', leicht: 'text-warn', gut: 'text-good' };

/** A password being chosen: what is asked for, and how the typed one stands to it. */
export function NewPasswordField({ known = [], ...field }: NewPasswordFieldProps) {
  const { t } = useTranslation();
  const [password, setPassword] = useState('');
  const strength = strengthOf(password, known);
  const hint = (
    <span role="status" className={password ? tones[strength] : ''}>
      {password ? t(`zugang.strength.${strength}`) : t('zugang.passwordHint')}
    </span>
  );
  return (
    <PasswordField
      {...field}
      hint={hint}
      autoComplete="new-password"
      onChange={(event) => setPassword(event.target.value)}
    />
  );
}
