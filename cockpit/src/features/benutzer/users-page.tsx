import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { AnswerOf } from '../../api/operations.ts';
import { benutzerQuery, ichQuery } from '../../api/queries.ts';
import type { Benutzer, Ich } from '../../api/types.ts';
import { useErrorText } from '../../api/use-error-text.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { MoreRows, type Pages } from '../../ui/more-rows.tsx';
import { Page } from '../../ui/page.tsx';
import { Frame } from '../../ui/panel.tsx';
import { toast } from '../../ui/toast.tsx';
import { useChange } from '../../ui/use-change.ts';
import { RemoveDialog, SwitchOffDialog } from './access-dialogs.tsx';
import { EditDialog } from './edit-dialog.tsx';
import { InvitationsPanel } from './invitations-panel.tsx';
import { InviteDialog, InvitedDialog } from './invite-dialog.tsx';
import { guardOf } from './role-rules.ts';
import type { UserAction } from './row-menu.tsx';
import type { UsersSearch } from './search.ts';
import { type Invited, useChangeUser } from './use-users.ts';
import { UsersTable } from './users-table.tsx';

const route = getRouteApi('/cockpit/einstellungen/benutzer');

interface Asked {
  action: UserAction;
  user: Benutzer;
}

interface UserDialogProps {
  asked: Asked;
  self: Ich['benutzer'];
  users: Benutzer[];
  onClose: () => void;
}

function UserDialog({ asked: { action, user }, self, users, onClose }: UserDialogProps) {
  if (action === 'switchOff') return <SwitchOffDialog user={user} onClose={onClose} />;
  if (action === 'remove') return <RemoveDialog user={user} onClose={onClose} />;
  return <EditDialog user={user} own={self.rolle} guard={guardOf(user, self, users)} onClose={onClose} />;
}

/** What is asked before it is done, and the way to ask. */
function useActions() {
  const { sentence } = useErrorText();
  const [asked, setAsked] = useState<Asked | null>(null);
  const { mutate: change } = useChangeUser();
  const onAction = (action: UserAction, user: Benutzer) => {
    if (action !== 'switchOn') return setAsked({ action, user });
    // Nothing is lost by it, so nothing is asked.
    change({ user, body: { aktiv: true } }, { onError: (error) => toast(sentence(error), 'harm') });
  };
  return { asked, onAction, onClose: () => setAsked(null) };
}

interface UsersProps {
  data: Pick<AnswerOf<'benutzerListe'>, 'benutzer' | 'einladungen'>;
  pages: Pages;
  self: Ich['benutzer'];
  onInvited: (invited: Invited) => void;
}

function Users({ data: { benutzer, einladungen }, pages, self, onInvited }: UsersProps) {
  const search = route.useSearch();
  const put = useChange(search, route.useNavigate());
  const { asked, onAction, onClose } = useActions();
  const onSearch = (next: UsersSearch) => put(next, { replace: true });
  return (
    <>
      <InvitationsPanel invitations={einladungen} own={self.rolle} onInvited={onInvited} />
      <Frame>
        <UsersTable
          users={benutzer}
          hasMore={pages.hasNextPage}
          self={self}
          onAction={onAction}
          search={search}
          onSearch={onSearch}
        />
        <MoreRows pages={pages} count={benutzer.length + einladungen.length} />
      </Frame>
      {asked && <UserDialog asked={asked} self={self} users={benutzer} onClose={onClose} />}
    </>
  );
}

/** Who may use the account of the Mandant, and who is invited to. */
export function UsersPage(): ReactNode {
  const { t } = useTranslation();
  const self = useQuery(ichQuery).data?.benutzer;
  const { data: loaded, error, refetch, ...pages } = useInfiniteQuery(benutzerQuery);
  const data = loaded && {
    benutzer: loaded.pages.flatMap((page) => page.benutzer),
    einladungen: loaded.pages.flatMap((page) => page.einladungen),
  };
  const [inviting, setInviting] = useState(false);
  const [invited, setInvited] = useState<Invited | null>(null);
  const onInvited = (answer: Invited) => {
    setInviting(false);
    setInvited(answer);
  };
  const invite = (
    <Button kind="primary" onClick={() => setInviting(true)}>
      {t('benutzer.invite')}
    </Button>
  );
  const isAlone = data?.benutzer.length === 1 && data.einladungen.length === 0;
  return (
    <Page title={t('benutzer.title')} actions={!isAlone && invite}>
      {self && (
        <Loaded query={{ data, error, refetch }}>
          {(lists) => <Users data={lists} pages={pages} self={self} onInvited={onInvited} />}
        </Loaded>
      )}
      {isAlone && (
        <EmptyState title={t('benutzer.alone')} action={invite}>
          {t('benutzer.aloneText')}
        </EmptyState>
      )}
      {self && inviting && (
        <InviteDialog own={self.rolle} onInvited={onInvited} onClose={() => setInviting(false)} />
      )}
      {invited?.link && (
        <InvitedDialog invited={invited} link={invited.link} onClose={() => setInvited(null)} />
      )}
    </Page>
  );
}
