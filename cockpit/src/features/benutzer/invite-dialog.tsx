import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../../api/error.ts';
import type { Rolle } from '../../api/types.ts';
import { useErrorText } from '../../api/use-error-text.ts';
import { useHasNoMail } from '../../api/use-mailweg.ts';
import { useFormat } from '../../format/use-format.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/field.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { SecretOutput } from '../../ui/secret-output.tsx';
import { RoleField } from './role-field.tsx';
import { type Invited, useInvite } from './use-users.ts';

interface InviteDialogProps {
  own: Rolle;
  onInvited: (invited: Invited) => void;
  onClose: () => void;
}

/** Asks for address and role of somebody to invite. */
export function InviteDialog({ own, onInvited, onClose }: InviteDialogProps) {
  const { t } = useTranslation();
  const { sentence, fieldError } = useErrorText();
  const hasNoMail = useHasNoMail();
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<Rolle>('betrachter');
  const invite = useInvite(onInvited);
  const { error } = invite;
  // Elsewhere the code means an account of one's own.
  const isUser = error instanceof ApiError && error.code === 'email_vergeben';
  return (
    <FormDialog
      title={t('benutzer.inviteTitle')}
      description={t(hasNoMail ? 'benutzer.inviteTextLog' : 'benutzer.inviteText')}
      confirm={t('benutzer.invite')}
      error={error && !isUser ? sentence(error) : undefined}
      busy={invite.isPending}
      onSubmit={() => invite.mutate({ email: email.trim(), rolle: role })}
      onClose={onClose}
    >
      <TextField
        label={t('zugang.email')}
        type="email"
        autoComplete="off"
        autoFocus
        value={email}
        onChange={(event) => setEmail(event.target.value)}
        error={isUser ? t('benutzer.isUser') : fieldError(error, 'email')}
      />
      <RoleField own={own} value={role} onChange={setRole} />
    </FormDialog>
  );
}

interface InvitedDialogProps {
  invited: Invited;
  link: string;
  onClose: () => void;
}

/** The link of an invitation, where the service tells it. */
export function InvitedDialog({ invited, link, onClose }: InvitedDialogProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const until = format.instant(invited.gueltig_bis, 'dateTime');
  return (
    <Dialog
      open
      onClose={onClose}
      title={t('benutzer.invitedTitle', { email: invited.email })}
      description={t('benutzer.linkText', { until })}
      actions={
        <Button kind="primary" onClick={onClose}>
          {t('ui.done')}
        </Button>
      }
    >
      <SecretOutput label={t('benutzer.link')} value={link} what={t('benutzer.link')} />
    </Dialog>
  );
}
