import { type ComponentProps, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { IconButton } from './button.tsx';
import { TextField } from './field.tsx';
import { EyeIcon, EyeOffIcon } from './icons.tsx';

/** A password; it can be shown while it is typed. Pasting and password managers work as in any field. */
export function PasswordField(props: Omit<ComponentProps<typeof TextField>, 'type' | 'trailing'>) {
  const { t } = useTranslation();
  const [shown, setShown] = useState(false);
  const toggle = (
    <IconButton
      label={t('ui.showInput')}
      icon={shown ? <EyeOffIcon /> : <EyeIcon />}
      aria-pressed={shown}
      onClick={() => setShown(!shown)}
    />
  );
  return (
    <TextField
      spellCheck={false}
      autoCapitalize="none"
      {...props}
      type={shown ? 'text' : 'password'}
      trailing={toggle}
    />
  );
}
