import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { type ReactNode, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { protokollQuery } from '../../api/queries.ts';
import type { Protokolleintrag } from '../../api/types.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { LoadError } from '../../ui/load-error.tsx';
import { MoreRows } from '../../ui/more-rows.tsx';
import { Page } from '../../ui/page.tsx';
import { Frame } from '../../ui/panel.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { type DataColumn, DataTable } from '../../ui/table.tsx';
import { useChange } from '../../ui/use-change.ts';
import { useColumns } from '../../ui/use-columns.tsx';
import { AuditFilters } from './audit-filters.tsx';
import { ObjectCell, WhatCell, WhoCell } from './entry-cells.tsx';
import { type AuditSearch, toFilter } from './search.ts';

const route = getRouteApi('/cockpit/einstellungen/protokoll');

function useEntryColumns(): DataColumn<Protokolleintrag>[] {
  const { t } = useTranslation();
  const { text, instant } = useColumns();
  return useMemo(
    () => [
      instant('zeitpunkt', t('protokoll.time'), (entry) => entry.zeitpunkt, { from: 'md' }),
      text('wer', t('protokoll.who'), (entry) => entry.akteur.name, {
        cell: (entry) => <WhoCell entry={entry} />,
        from: 'md',
      }),
      text('was', t('protokoll.what'), (entry) => entry.aktion, {
        cell: (entry) => <WhatCell entry={entry} />,
        grow: true,
      }),
      text('objekt', t('protokoll.object'), (entry) => entry.objekt.name, {
        cell: (entry) => <ObjectCell entry={entry} />,
        from: 'lg',
      }),
    ],
    [t, text, instant],
  );
}

function NoMatch({ onReset }: { onReset: () => void }) {
  const { t } = useTranslation();
  return (
    <div className="p-4">
      <EmptyState
        title={t('ui.filteredAway')}
        action={<Button onClick={onReset}>{t('ui.resetFilters')}</Button>}
      />
    </div>
  );
}

function Entries({ search, onReset }: { search: AuditSearch; onReset: () => void }) {
  const { t } = useTranslation();
  const columns = useEntryColumns();
  const { data, error, refetch, ...pages } = useInfiniteQuery(protokollQuery(toFilter(search)));
  if (!data) {
    return (
      <div className="p-4">
        {error ? <LoadError error={error} onRetry={refetch} /> : <Skeleton lines={8} height="h-12" />}
      </div>
    );
  }
  const entries = data.pages.flatMap((page) => page.eintraege);
  if (entries.length === 0) return <NoMatch onReset={onReset} />;
  return (
    <>
      <DataTable
        caption={t('protokoll.title')}
        columns={columns}
        rows={entries}
        rowKey={(entry) => entry.eintrag_id}
        tall
      />
      <MoreRows
        pages={pages}
        count={entries.length}
        status={t(pages.hasNextPage ? 'protokoll.shown' : 'protokoll.shownAll', { count: entries.length })}
        label={t('protokoll.more')}
      />
    </>
  );
}

/** Every change in the account of the Mandant: who, what, before, after, when, from where. */
export function AuditPage(): ReactNode {
  const { t } = useTranslation();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const put = useChange(search, navigate);
  const { data } = useInfiniteQuery(protokollQuery(toFilter(search)));
  const change = (next: AuditSearch) => put(next, { replace: true });
  return (
    <Page title={t('protokoll.title')}>
      <p className="max-w-prose text-ink-2">{t('protokoll.text')}</p>
      <Frame>
        <AuditFilters search={search} actions={data?.pages[0]?.aktionen ?? []} onChange={change} />
        <Entries search={search} onReset={() => navigate({ search: {}, replace: true })} />
      </Frame>
    </Page>
  );
}
