import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { befundeQuery } from '../../api/queries.ts';
import type { Befund } from '../../api/types.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { MoreRows } from '../../ui/more-rows.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Page } from '../../ui/page.tsx';
import { Frame } from '../../ui/panel.tsx';
import { StaleNotice } from '../../ui/stale-notice.tsx';
import { Term } from '../../ui/term.tsx';
import { useChange } from '../../ui/use-change.ts';
import { FindingFilters } from './finding-filters.tsx';
import { FindingRow } from './finding-row.tsx';
import { type FindingsSearch, filterOf } from './search.ts';
import { StatusActions } from './status-actions.tsx';
import { findingTypes } from './types.ts';

const route = getRouteApi('/cockpit/befunde');

const all: FindingsSearch = {
  status: 'alle',
  typ: undefined,
  agent_id: undefined,
  vorfall_id: undefined,
};

/** What the rules have found, latest first; the open ones unless others are asked for. */
export function FindingsPage(): ReactNode {
  const { t } = useTranslation();
  const search = route.useSearch();
  const put = useChange(search, route.useNavigate());
  const listed = useInfiniteQuery(befundeQuery(filterOf(search, findingTypes)));
  const { data, error, refetch, ...pages } = listed;
  const change = (next: FindingsSearch) => put(next, { replace: true });
  return (
    <Page title={t('befunde.title')} beside={<Term of="verbrannt" />}>
      <StaleNotice of={listed} />
      {search.vorfall_id && (
        <Notice action={<Button onClick={() => change(all)}>{t('befunde.showAll')}</Button>}>
          {t('befunde.ofIncident')}
        </Notice>
      )}
      <Frame>
        <div className="flex flex-wrap items-end gap-2 border-b px-4 py-3">
          <FindingFilters search={search} types={findingTypes} onChange={change} />
        </div>
        <Loaded
          query={{ data: data?.pages.flatMap((page) => page.befunde), error, refetch }}
          lines={8}
          height="h-16"
        >
          {(befunde) => (
            <>
              <Findings befunde={befunde} search={search} onAll={() => change(all)} />
              <MoreRows pages={pages} count={befunde.length} label={t('befunde.loadMore')} />
            </>
          )}
        </Loaded>
      </Frame>
    </Page>
  );
}

interface FindingsProps {
  befunde: Befund[];
  search: FindingsSearch;
  onAll: () => void;
}

function Findings({ befunde, search, onAll }: FindingsProps) {
  const { t } = useTranslation();
  if (befunde.length > 0)
    return (
      <ol>
        {befunde.map((befund) => (
          <FindingRow key={befund.befund_id} of={befund} action={<StatusActions of={befund} />} />
        ))}
      </ol>
    );
  const filtered = search.typ !== undefined || search.agent_id !== undefined;
  const isAll = search.status === 'alle' && !filtered;
  const title = filtered ? 'ui.filteredAway' : isAll ? 'befunde.empty' : 'befunde.emptyOpen';
  return (
    <div className="p-4">
      <EmptyState title={t(title)} action={!isAll && <Button onClick={onAll}>{t('befunde.showAll')}</Button>}>
        {!filtered && t('befunde.emptyText')}
      </EmptyState>
    </div>
  );
}
