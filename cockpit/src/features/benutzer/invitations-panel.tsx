import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { OffeneEinladung, Rolle } from '../../api/types.ts';
import { useErrorText } from '../../api/use-error-text.ts';
import { useFormat } from '../../format/use-format.ts';
import { Badge } from '../../ui/badge.tsx';
import { IconButton } from '../../ui/button.tsx';
import { MoreIcon } from '../../ui/icons.tsx';
import { Item, ItemList } from '../../ui/item-list.tsx';
import { Menu, MenuItem } from '../../ui/menu.tsx';
import { Panel } from '../../ui/panel.tsx';
import { toast } from '../../ui/toast.tsx';
import { WithdrawDialog } from './access-dialogs.tsx';
import { rolesUpTo } from './role-rules.ts';
import { type Invited, useInvite } from './use-users.ts';

interface InvitationItemProps {
  invitation: OffeneEinladung;
  own: Rolle;
  onInvited: (invited: Invited) => void;
  onWithdraw: () => void;
}

function InvitationMenu({ invitation, own, onInvited, onWithdraw }: InvitationItemProps) {
  const { t } = useTranslation();
  const { sentence } = useErrorText();
  const { email, rolle } = invitation;
  const invite = useInvite(onInvited);
  const again = () => invite.mutate({ email, rolle }, { onError: (error) => toast(sentence(error), 'harm') });
  const barred = rolesUpTo(own).includes(rolle) ? undefined : t('benutzer.guard.above');
  const label = t('benutzer.actionsFor', { name: email });
  return (
    <Menu
      label={label}
      trigger={<IconButton label={label} icon={<MoreIcon />} disabled={invite.isPending} />}
    >
      <MenuItem onSelect={again} barred={barred}>
        {t('benutzer.inviteAgain')}
      </MenuItem>
      <MenuItem onSelect={onWithdraw} barred={barred}>
        {t('benutzer.withdraw')}
      </MenuItem>
    </Menu>
  );
}

function InvitationItem(props: InvitationItemProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const { email, rolle, status, eingeladen_von, gueltig_bis } = props.invitation;
  const open = status === 'offen';
  const until = t(open ? 'benutzer.openUntil' : 'benutzer.expiredSince', {
    time: format.instant(gueltig_bis, 'dateTime'),
  });
  return (
    <Item
      title={email}
      hint={email}
      badge={<Badge tone={open ? 'accent' : 'neutral'}>{t(`benutzer.invitationStatus.${status}`)}</Badge>}
      action={<InvitationMenu {...props} />}
    >
      <span>{t(`rolle.${rolle}`)}</span>
      <span>{until}</span>
      {eingeladen_von && <span>{t('benutzer.invitedBy', { name: eingeladen_von })}</span>}
    </Item>
  );
}

interface InvitationsPanelProps {
  invitations: OffeneEinladung[];
  own: Rolle;
  onInvited: (invited: Invited) => void;
}

/** Invitations nobody has accepted yet; nothing where there are none. */
export function InvitationsPanel({ invitations, own, onInvited }: InvitationsPanelProps) {
  const { t } = useTranslation();
  const [withdrawing, setWithdrawing] = useState<OffeneEinladung | null>(null);
  if (invitations.length === 0 && !withdrawing) return null;
  return (
    <Panel title={t('benutzer.invitations')} flush>
      <ItemList label={t('benutzer.invitations')}>
        {invitations.map((invitation) => (
          <InvitationItem
            key={invitation.einladung_id}
            invitation={invitation}
            own={own}
            onInvited={onInvited}
            onWithdraw={() => setWithdrawing(invitation)}
          />
        ))}
      </ItemList>
      {withdrawing && <WithdrawDialog invitation={withdrawing} onClose={() => setWithdrawing(null)} />}
    </Panel>
  );
}
