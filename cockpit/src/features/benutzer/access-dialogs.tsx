import { useTranslation } from 'react-i18next';
import type { Benutzer, OffeneEinladung } from '../../api/types.ts';
import { ConfirmDialog, Consequences } from '../../ui/confirm-dialog.tsx';
import { nameOf, useChangeUser, useRemoveUser, useWithdraw } from './use-users.ts';

interface UserDialogProps {
  user: Benutzer;
  onClose: () => void;
}

/** Asks before a user's access is switched off. */
export function SwitchOffDialog({ user, onClose }: UserDialogProps) {
  const { t } = useTranslation();
  const change = useChangeUser(onClose);
  const points = [t('benutzer.sessionsEnd'), t('benutzer.noLogin'), t('benutzer.comesBack')];
  return (
    <ConfirmDialog
      title={t('benutzer.switchOffTitle', { name: nameOf(user) })}
      description={user.email}
      confirm={t('benutzer.switchOff')}
      error={change.error}
      busy={change.isPending}
      onConfirm={() => change.mutate({ user, body: { aktiv: false } })}
      onClose={onClose}
    >
      <Consequences points={points} />
    </ConfirmDialog>
  );
}

/** Asks before a user is removed for good. */
export function RemoveDialog({ user, onClose }: UserDialogProps) {
  const { t } = useTranslation();
  const remove = useRemoveUser(user, onClose);
  const points = [t('benutzer.sessionsEnd'), t('benutzer.goneForGood'), t('benutzer.stays')];
  return (
    <ConfirmDialog
      title={t('benutzer.removeTitle', { name: nameOf(user) })}
      description={user.email}
      confirm={t('benutzer.remove')}
      error={remove.error}
      busy={remove.isPending}
      onConfirm={() => remove.mutate()}
      onClose={onClose}
    >
      <Consequences points={points} />
    </ConfirmDialog>
  );
}

/** Asks before an invitation is withdrawn. */
export function WithdrawDialog({
  invitation,
  onClose,
}: {
  invitation: OffeneEinladung;
  onClose: () => void;
}) {
  const { t } = useTranslation();
  const withdraw = useWithdraw(onClose);
  return (
    <ConfirmDialog
      title={t('benutzer.withdrawTitle', { email: invitation.email })}
      description={t('benutzer.withdrawText')}
      confirm={t('benutzer.withdraw')}
      error={withdraw.error}
      busy={withdraw.isPending}
      onConfirm={() => withdraw.mutate(invitation.einladung_id)}
      onClose={onClose}
    />
  );
}
