import { useTranslation } from 'react-i18next';
import type { Benutzer } from '../../api/types.ts';
import { IconButton } from '../../ui/button.tsx';
import { MoreIcon } from '../../ui/icons.tsx';
import { Menu, MenuItem, MenuSeparator } from '../../ui/menu.tsx';
import type { Guard } from './role-rules.ts';
import { nameOf } from './use-users.ts';

/** What can be done to a user. */
export type UserAction = 'edit' | 'switchOn' | 'switchOff' | 'remove';

interface RowMenuProps {
  user: Benutzer;
  guard: Guard | null;
  onAction: (action: UserAction, user: Benutzer) => void;
}

/** The menu of a row; what is barred says why. */
export function RowMenu({ user, guard, onAction }: RowMenuProps) {
  const { t } = useTranslation();
  const barred = guard ? t(`benutzer.guard.${guard}`) : undefined;
  const label = t('benutzer.actionsFor', { name: nameOf(user) });
  const access = user.aktiv ? 'switchOff' : 'switchOn';
  return (
    <Menu label={label} trigger={<IconButton label={label} icon={<MoreIcon />} />}>
      {/* Everybody may put right a name; the dialog itself bars the role. */}
      <MenuItem onSelect={() => onAction('edit', user)} barred={guard === 'above' ? barred : undefined}>
        {t('benutzer.edit')}
      </MenuItem>
      <MenuItem onSelect={() => onAction(access, user)} barred={barred}>
        {t(`benutzer.${access}`)}
      </MenuItem>
      <MenuSeparator />
      <MenuItem onSelect={() => onAction('remove', user)} barred={barred}>
        {t('benutzer.remove')}
      </MenuItem>
    </Menu>
  );
}
