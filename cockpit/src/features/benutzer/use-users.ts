/** What can be done to users and invitations. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { call } from '../../api/call.ts';
import type { AnswerOf, InputOf } from '../../api/operations.ts';
import { benutzerQuery, ichQuery } from '../../api/queries.ts';
import type { Benutzer } from '../../api/types.ts';
import { linkCommand, useHasNoMail } from '../../api/use-mailweg.ts';
import { toast } from '../../ui/toast.tsx';

interface Change {
  user: Benutzer;
  body: InputOf<'benutzerAendern'>['body'];
}

export type Invited = AnswerOf<'benutzerEinladen'>;

/** Name of a user, else the address. */
export const nameOf = ({ name, email }: Pick<Benutzer, 'name' | 'email'>): string => name ?? email;

function useRefresh() {
  const client = useQueryClient();
  return () => {
    client.invalidateQueries({ queryKey: benutzerQuery.queryKey });
    // One may have changed one's own name.
    client.invalidateQueries({ queryKey: ichQuery.queryKey });
  };
}

/** Changes name, role or access of a user. */
export function useChangeUser(onChanged?: () => void) {
  const { t } = useTranslation();
  const refresh = useRefresh();
  return useMutation({
    mutationFn: ({ user, body }: Change) =>
      call('benutzerAendern', { params: { benutzer_id: user.benutzer_id }, body }),
    onSuccess: (changed, { body }) => {
      const text = typeof body.aktiv !== 'boolean' ? 'changed' : body.aktiv ? 'switchedOn' : 'switchedOff';
      toast(t(`benutzer.${text}`, { name: nameOf(changed) }));
      refresh();
      onChanged?.();
    },
  });
}

export function useRemoveUser(user: Benutzer, onRemoved: () => void) {
  const { t } = useTranslation();
  const refresh = useRefresh();
  return useMutation({
    mutationFn: () => call('benutzerEntfernen', { params: { benutzer_id: user.benutzer_id } }),
    onSuccess: () => {
      toast(t('benutzer.removed', { name: nameOf(user) }));
      refresh();
      onRemoved();
    },
  });
}

/** Invites an address. Outside production the answer holds the link, which is handed on to be shown. */
export function useInvite(onInvited: (invited: Invited) => void) {
  const { t } = useTranslation();
  const refresh = useRefresh();
  const hasNoMail = useHasNoMail();
  return useMutation({
    mutationFn: (body: InputOf<'benutzerEinladen'>['body']) => call('benutzerEinladen', { body }),
    onSuccess: (invited) => {
      // A link that is shown says it already.
      const { email, mail_gehalten: isHeld } = invited;
      const command = linkCommand('einladung', email);
      const said = hasNoMail ? 'benutzer.invitedLog' : isHeld ? 'benutzer.inviteHeld' : 'benutzer.invited';
      if (!invited.link) toast(t(said, { email, command }));
      refresh();
      onInvited(invited);
    },
  });
}

export function useWithdraw(onWithdrawn: () => void) {
  const { t } = useTranslation();
  const refresh = useRefresh();
  return useMutation({
    mutationFn: (einladung_id: string) => call('einladungZurueckziehen', { params: { einladung_id } }),
    onSuccess: () => {
      toast(t('benutzer.withdrawn'));
      refresh();
      onWithdrawn();
    },
  });
}
