import type { ComponentProps } from 'react';
import { useTranslation } from 'react-i18next';
import { TextField } from './field.tsx';

/** A one-time code of six digits; phones offer the one they have just received, and it may be pasted with spaces. */
export function CodeField(props: ComponentProps<typeof TextField>) {
  return (
    <TextField
      inputMode="numeric"
      autoComplete="one-time-code"
      spellCheck={false}
      {...props}
      className="max-w-40 font-mono tracking-widest"
    />
  );
}

/** A code by which who is signed in shows who asks: of the app, or one of the recovery codes, which have letters, too. */
export function OwnCodeField(props: Omit<ComponentProps<typeof TextField>, 'label' | 'hint'>) {
  const { t } = useTranslation();
  return (
    <CodeField
      label={t('sicherheit.ownCode')}
      hint={t('sicherheit.ownCodeHint')}
      inputMode="text"
      autoCapitalize="none"
      {...props}
    />
  );
}
