import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { type ReactNode, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { laeufeQuery } from '../../api/queries.ts';
import type { Lauf } from '../../api/types.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { LoadError } from '../../ui/load-error.tsx';
import { MoreRows, type Pages } from '../../ui/more-rows.tsx';
import { Page } from '../../ui/page.tsx';
import { Frame } from '../../ui/panel.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { NeverAnyData } from '../verbrauch/index.ts';
import { RunFilters } from './run-filters.tsx';
import { RunsTable } from './runs-table.tsx';
import { defaultLimit, type RunsSearch } from './search.ts';

const route = getRouteApi('/cockpit/laeufe');

/** The runs whose agent, project, end customer or id contains the search text. */
function findRuns(runs: Lauf[], q: string | undefined): Lauf[] {
  const wanted = q?.toLocaleLowerCase('de');
  if (wanted === undefined) return runs;
  return runs.filter((run) =>
    [run.agent, run.projekt, run.endkunde_ref ?? '', run.lauf_id].some((text) =>
      text.toLocaleLowerCase('de').includes(wanted),
    ),
  );
}

/** The latest runs, filtered. */
export function RunsPage(): ReactNode {
  const { t } = useTranslation();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { agent_id, status, nur_fehler, limit = defaultLimit } = search;
  const { data, error, refetch, ...pages } = useInfiniteQuery(
    laeufeQuery({
      limit,
      ...(agent_id === undefined ? {} : { agent_id }),
      ...(status === undefined ? {} : { status }),
      ...(nur_fehler ? { nur_fehler } : {}),
    }),
  );
  const change = (next: RunsSearch) =>
    navigate({ search: (before) => ({ ...before, ...next }), replace: true });
  return (
    <Page title={t('laeufe.title')}>
      {error ? (
        <LoadError error={error} onRetry={refetch} />
      ) : !data ? (
        <Skeleton lines={12} height="h-9" />
      ) : (
        <Runs
          runs={data.pages.flatMap((page) => page.laeufe)}
          pages={pages}
          search={search}
          onChange={change}
        />
      )}
    </Page>
  );
}

interface RunsProps {
  runs: Lauf[];
  pages: Pages;
  search: RunsSearch;
  onChange: (search: RunsSearch) => void;
}

function Runs({ runs, pages, search, onChange }: RunsProps) {
  const { t } = useTranslation();
  const shown = useMemo(() => findRuns(runs, search.q), [runs, search.q]);
  const filtered = Boolean(search.agent_id || search.status || search.nur_fehler || search.q);
  if (runs.length === 0 && !filtered) return <NeverAnyData />;
  return (
    <Frame>
      <RunsTable
        caption={t('laeufe.title')}
        runs={shown}
        sort={search.sort ?? '-beginn'}
        onSort={(sort) => onChange({ sort })}
        csvName="laeufe"
        toolbar={<RunFilters runs={runs} shown={shown.length} search={search} onChange={onChange} />}
      />
      {shown.length === 0 && <NoMatch onChange={onChange} />}
      <MoreRows pages={pages} count={runs.length} label={t('laeufe.loadMore')} />
    </Frame>
  );
}

function NoMatch({ onChange }: Pick<RunsProps, 'onChange'>) {
  const { t } = useTranslation();
  const reset = { agent_id: undefined, status: undefined, nur_fehler: undefined, q: undefined };
  return (
    <div className="p-4">
      <EmptyState
        title={t('ui.filteredAway')}
        action={<Button onClick={() => onChange(reset)}>{t('ui.resetFilters')}</Button>}
      />
    </div>
  );
}
