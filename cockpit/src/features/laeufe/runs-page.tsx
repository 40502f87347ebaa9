import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { readWhole } from '../../api/make-query.ts';
import { laeufeQuery } from '../../api/queries.ts';
import type { Lauf } from '../../api/types.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { LoadError } from '../../ui/load-error.tsx';
import { MoreRows, type Pages } from '../../ui/more-rows.tsx';
import { Page } from '../../ui/page.tsx';
import { Frame } from '../../ui/panel.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { StaleNotice } from '../../ui/stale-notice.tsx';
import type { ReadWhole } from '../../ui/table-export.tsx';
import { useChange } from '../../ui/use-change.ts';
import { UnreadableNotice, useView, ViewBar } from '../verbrauch/index.ts';
import { RunFilters } from './run-filters.tsx';
import { RunsTable } from './runs-table.tsx';
import { columnOf, type RunsSearch, type Sortierung } from './search.ts';

const route = getRouteApi('/cockpit/laeufe');

const rowsOfPage = 50;

/** The runs of the period: filtered, sorted and searched by the service, so that the first row is the first of all. */
export function RunsPage(): ReactNode {
  const { t } = useTranslation();
  const search = route.useSearch();
  const put = useChange(search, route.useNavigate());
  const view = useView(search);
  const { von, bis, werte } = view;
  const { status, sortierung, richtung, nur_fehler, nur_unbepreist, suche } = search;
  const filter = {
    von,
    bis,
    ...werte,
    ...(sortierung ? { sortierung } : {}),
    ...(richtung ? { richtung } : {}),
    ...(status === undefined ? {} : { status }),
    ...(nur_fehler ? { nur_fehler } : {}),
    ...(nur_unbepreist ? { nur_unbepreist } : {}),
    ...(suche === undefined ? {} : { suche }),
  };
  const { data, error, refetch, ...asked } = useInfiniteQuery(laeufeQuery({ ...filter, limit: rowsOfPage }));
  const change = (next: RunsSearch) => put(next, { replace: !('zeitraum' in next || 'agent' in next) });
  const runs = data?.pages.flatMap((page) => page.laeufe);
  return (
    <Page title={t('laeufe.title')} actions={<ViewBar view={view} onChange={change} compares={false} />}>
      <UnreadableNotice of={search} />
      <StaleNotice of={{ data, error, refetch, ...asked }} />
      <Frame>
        <div className="flex flex-wrap items-end gap-2 border-b px-4 py-3">
          <RunFilters runs={runs ?? []} search={search} onChange={change} />
        </div>
        {error && !data ? (
          <LoadError error={error} onRetry={refetch} />
        ) : !runs ? (
          <div className="p-4">
            <Skeleton lines={12} height="h-9" />
          </div>
        ) : (
          <Runs
            runs={runs}
            pages={asked}
            search={search}
            csvName={`laeufe-${view.zeitraum}`}
            whole={() => readWhole('cockpitLaeufe', { query: filter }, ({ laeufe }) => laeufe)}
            onChange={change}
          />
        )}
      </Frame>
    </Page>
  );
}

interface RunsProps {
  runs: Lauf[];
  pages: Pages;
  search: RunsSearch;
  csvName: string;
  /** Reads the runs of all pages. */
  whole: ReadWhole<Lauf>;
  onChange: (search: RunsSearch) => void;
}

/** The order the service was asked for, as the table says it: the column, `-` for descending. */
const sortOf = ({ sortierung = 'ende', richtung }: RunsSearch) =>
  `${richtung ? '' : '-'}${columnOf[sortierung]}`;

function Runs({ runs, pages, search, csvName, whole, onChange }: RunsProps) {
  const { t } = useTranslation();
  if (runs.length === 0) return <NoMatch search={search} onChange={onChange} />;
  const sortBy = (sort: string) => {
    const column = sort.replace(/^-/, '');
    const names = Object.keys(columnOf) as Sortierung[];
    const sortierung = names.find((name) => columnOf[name] === column);
    if (sortierung)
      onChange({ sortierung, richtung: sort.startsWith('-') ? undefined : ('aufsteigend' as const) });
  };
  return (
    <>
      <RunsTable
        caption={t('laeufe.title')}
        runs={runs}
        sort={sortOf(search)}
        onSort={sortBy}
        sortable={Object.values(columnOf)}
        csvName={csvName}
        whole={pages.hasNextPage ? whole : undefined}
      />
      <MoreRows pages={pages} count={runs.length} label={t('laeufe.loadMore')} />
    </>
  );
}

const noFilters = { status: undefined, nur_fehler: undefined, nur_unbepreist: undefined, suche: undefined };

function NoMatch({ search, onChange }: Pick<RunsProps, 'search' | 'onChange'>) {
  const { t } = useTranslation();
  const filtered = Object.keys(noFilters).some(
    (name) => search[name as keyof typeof noFilters] !== undefined,
  );
  return (
    <div className="p-4">
      <EmptyState
        title={t(filtered ? 'ui.filteredAway' : 'laeufe.noneInPeriod')}
        action={
          filtered ? (
            <Button onClick={() => onChange(noFilters)}>{t('ui.resetFilters')}</Button>
          ) : (
            <Button onClick={() => onChange({ zeitraum: '90tage' })}>{t('laeufe.last90Days')}</Button>
          )
        }
      >
        {!filtered && t('katalog.noRuns')}
      </EmptyState>
    </div>
  );
}
