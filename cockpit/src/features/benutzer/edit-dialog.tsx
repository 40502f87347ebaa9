import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Benutzer, Rolle } from '../../api/types.ts';
import { useErrorText } from '../../api/use-error-text.ts';
import { TextField } from '../../ui/field.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { Notice } from '../../ui/notice.tsx';
import { RoleField } from './role-field.tsx';
import type { Guard } from './role-rules.ts';
import { nameOf, useChangeUser } from './use-users.ts';

interface EditDialogProps {
  user: Benutzer;
  /** The role of the editing user. */
  own: Rolle;
  /** What stands in the way of changing the role. */
  guard: Guard | null;
  onClose: () => void;
}

/** Name and role of a user. */
export function EditDialog({ user, own, guard, onClose }: EditDialogProps) {
  const { t } = useTranslation();
  const { sentence, fieldError } = useErrorText();
  const [name, setName] = useState(user.name ?? '');
  const [role, setRole] = useState<Rolle>(user.rolle);
  const change = useChangeUser(onClose);
  const next = name.trim();
  const submit = () =>
    change.mutate({
      user,
      body: {
        ...(next === '' || next === user.name ? {} : { name: next }),
        ...(role === user.rolle ? {} : { rolle: role }),
      },
    });
  return (
    <FormDialog
      title={t('benutzer.editTitle', { name: nameOf(user) })}
      confirm={t('ui.save')}
      error={change.error ? sentence(change.error) : undefined}
      busy={change.isPending}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField
        label={t('benutzer.name')}
        autoComplete="off"
        autoFocus
        value={name}
        onChange={(event) => setName(event.target.value)}
        error={fieldError(change.error, 'name')}
      />
      <RoleField own={own} value={role} onChange={setRole} barred={guard && t(`benutzer.guard.${guard}`)} />
      {role !== user.rolle && <Notice tone="warn">{t('benutzer.roleEndsSessions')}</Notice>}
    </FormDialog>
  );
}
