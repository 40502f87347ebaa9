import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { readWhole } from '../../api/make-query.ts';
import type { Benutzer, Ich } from '../../api/types.ts';
import { useFormat } from '../../format/use-format.ts';
import { Badge } from '../../ui/badge.tsx';
import { FilterField } from '../../ui/filter-field.tsx';
import { type DataColumn, DataTable } from '../../ui/table.tsx';
import { useColumns } from '../../ui/use-columns.tsx';
import { guardOf } from './role-rules.ts';
import { RowMenu, type UserAction } from './row-menu.tsx';
import type { UsersSearch } from './search.ts';

function WhoCell({ user, isSelf }: { user: Benutzer; isSelf: boolean }) {
  const { t } = useTranslation();
  const role = t(`rolle.${user.rolle}`);
  return (
    <div className="min-w-0 py-1.5">
      <p className="flex items-center gap-2">
        <span className="truncate font-medium" title={user.name ?? user.email}>
          {user.name ?? user.email}
        </span>
        {isSelf && <Badge>{t('benutzer.you')}</Badge>}
        {!user.aktiv && (
          <span className="@lg:hidden">
            <Badge tone="warn">{t('benutzer.off')}</Badge>
          </span>
        )}
      </p>
      <p className="truncate text-xs text-ink-3" title={user.email}>
        {/* Where there is no room for its column, the role stands here. */}
        <span className="@lg:hidden">{role} · </span>
        {user.name === null ? t('benutzer.noName') : user.email}
      </p>
    </div>
  );
}

interface Shared {
  users: Benutzer[];
  self: Ich['benutzer'];
  onAction: (action: UserAction, user: Benutzer) => void;
}

function useUserColumns({ users, self, onAction }: Shared): DataColumn<Benutzer>[] {
  const { t } = useTranslation();
  const format = useFormat();
  const { text, instant } = useColumns();
  return useMemo(() => {
    const lastUsed = (user: Benutzer) =>
      user.zuletzt_am ? format.instant(user.zuletzt_am, 'dateTime') : t('benutzer.notSignedIn');
    return [
      text('name', t('benutzer.name'), (user) => user.name ?? user.email, {
        cell: (user) => <WhoCell user={user} isSelf={user.benutzer_id === self.benutzer_id} />,
        grow: true,
      }),
      text('email', t('zugang.email'), (user) => user.email, { only: 'file' }),
      text('rolle', t('benutzer.role'), (user) => t(`rolle.${user.rolle}`), { from: 'md' }),
      text('zweiter_faktor', t('benutzer.factor'), (user) => t(user.zweiter_faktor ? 'ui.yes' : 'ui.no'), {
        cell: (user) => (
          <Badge tone={user.zweiter_faktor ? 'good' : 'neutral'}>
            {t(user.zweiter_faktor ? 'sicherheit.on' : 'sicherheit.off')}
          </Badge>
        ),
        from: 'md',
      }),
      instant('zuletzt_am', t('benutzer.lastUsed'), (user) => user.zuletzt_am, {
        cell: (user) => <span className="whitespace-nowrap">{lastUsed(user)}</span>,
        from: 'lg',
      }),
      text('status', t('benutzer.status'), (user) => t(user.aktiv ? 'benutzer.on' : 'benutzer.off'), {
        cell: (user) => (
          <Badge tone={user.aktiv ? 'good' : 'warn'}>{t(user.aktiv ? 'benutzer.on' : 'benutzer.off')}</Badge>
        ),
        from: 'md',
      }),
      text('aktion', t('benutzer.actions'), () => null, {
        cell: (user) => <RowMenu user={user} guard={guardOf(user, self, users)} onAction={onAction} />,
        only: 'screen',
      }),
    ];
  }, [t, format, text, instant, users, self, onAction]);
}

interface UsersTableProps extends Shared {
  /** Whether there are others than those. */
  hasMore: boolean;
  search: UsersSearch;
  onSearch: (search: UsersSearch) => void;
}

/** The users of the Mandant. */
export function UsersTable({ search, hasMore, onSearch, ...shared }: UsersTableProps) {
  const { t } = useTranslation();
  const columns = useUserColumns(shared);
  const wanted = (search.q ?? '').toLocaleLowerCase('de');
  const isWanted = ({ name, email }: Benutzer) =>
    `${name ?? ''} ${email}`.toLocaleLowerCase('de').includes(wanted);
  const shown = shared.users.filter(isWanted);
  const readWanted = async () => {
    const { rows, isWhole } = await readWhole('benutzerListe', {}, ({ benutzer }) => benutzer);
    return { rows: rows.filter(isWanted), isWhole };
  };
  return (
    <DataTable
      caption={t('benutzer.title')}
      columns={columns}
      rows={shown}
      rowKey={(user) => user.benutzer_id}
      sort={search.sort ?? 'name'}
      onSort={(sort) => onSearch({ sort })}
      csvName="benutzer"
      whole={hasMore ? readWanted : undefined}
      toolbar={
        <>
          <div className="w-full sm:w-56">
            <FilterField
              label={t('benutzer.search')}
              value={search.q ?? ''}
              onChange={(q) => onSearch({ q: q || undefined })}
            />
          </div>
          <p role="status" className="self-center text-xs text-ink-3">
            {t('benutzer.count', { count: shown.length })}
          </p>
        </>
      }
    />
  );
}
