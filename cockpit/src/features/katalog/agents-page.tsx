import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { type ReactNode, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { readWhole } from '../../api/make-query.ts';
import { agentenSeitenQuery } from '../../api/queries.ts';
import type { AgentZeile } from '../../api/types.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { SelectField } from '../../ui/field.tsx';
import { FilterField } from '../../ui/filter-field.tsx';
import { LoadError } from '../../ui/load-error.tsx';
import { MoreRows, type Pages } from '../../ui/more-rows.tsx';
import { Page } from '../../ui/page.tsx';
import { Frame } from '../../ui/panel.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { StaleNotice } from '../../ui/stale-notice.tsx';
import { DataTable } from '../../ui/table.tsx';
import { useChange } from '../../ui/use-change.ts';
import { NeverAnyData, RatesLine, UnreadableNotice, useView, ViewBar } from '../verbrauch/index.ts';
import { useAgentColumns } from './agent-columns.tsx';
import { filterAgents, projectsOf } from './filter.ts';
import type { AgentsSearch } from './search.ts';

const route = getRouteApi('/cockpit/agenten');

/** All agents with their consumption in a period. */
export function AgentsPage(): ReactNode {
  const { t } = useTranslation();
  const search = route.useSearch();
  const put = useChange(search, route.useNavigate());
  const view = useView(search);
  const { zeitraum } = view;
  const { data, error, refetch, ...pages } = useInfiniteQuery(agentenSeitenQuery(zeitraum));
  const agents = data?.pages.flatMap((page) => page.agenten);
  const change = (next: AgentsSearch) => put(next, { replace: next.zeitraum === undefined });
  return (
    <Page
      title={t('katalog.agents')}
      actions={<ViewBar view={view} onChange={change} filters={false} compares={false} />}
    >
      <UnreadableNotice of={search} />
      <StaleNotice of={{ data, error, refetch, ...pages }} />
      {error && !data ? (
        <LoadError error={error} onRetry={refetch} />
      ) : !agents ? (
        <Skeleton lines={10} height="h-9" />
      ) : agents.length === 0 ? (
        <NeverAnyData />
      ) : (
        <>
          <Agents
            agents={agents}
            pages={pages}
            zeitraum={data?.pages[0]?.zeitraum ?? zeitraum}
            search={search}
            onChange={change}
          />
          <RatesLine quellen={data?.pages[0]?.kursquellen ?? []} />
        </>
      )}
    </Page>
  );
}

interface AgentsProps {
  agents: AgentZeile[];
  pages: Pages;
  /** The period the figures are of, for the name of the file. */
  zeitraum: string;
  search: AgentsSearch;
  onChange: (search: AgentsSearch) => void;
}

function Agents({ agents, pages, zeitraum, search, onChange }: AgentsProps) {
  const { t } = useTranslation();
  const columns = useAgentColumns();
  const shown = useMemo(() => filterAgents(agents, search), [agents, search]);
  const whole = async () => {
    const all = await readWhole('cockpitAgenten', { query: { zeitraum } }, ({ agenten }) => agenten);
    return { ...all, rows: filterAgents(all.rows, search) };
  };
  const filtered = search.q !== undefined || search.projekt !== undefined;
  return (
    <Frame>
      <DataTable
        caption={t('katalog.agents')}
        columns={columns}
        rows={shown}
        rowKey={(agent) => agent.agent_id}
        sort={search.sort ?? '-kosten_eur'}
        onSort={(sort) => onChange({ sort })}
        csvName={`agenten-${zeitraum}`}
        whole={pages.hasNextPage ? whole : undefined}
        toolbar={<Filters agents={agents} search={search} onChange={onChange} shown={shown.length} />}
      />
      {shown.length === 0 && (
        <div className="p-4">
          <EmptyState
            title={t('ui.filteredAway')}
            action={
              filtered && (
                <Button onClick={() => onChange({ q: undefined, projekt: undefined })}>
                  {t('ui.resetFilters')}
                </Button>
              )
            }
          />
        </div>
      )}
      <MoreRows pages={pages} count={agents.length} local />
    </Frame>
  );
}

interface FiltersProps {
  agents: AgentZeile[];
  search: AgentsSearch;
  onChange: (search: AgentsSearch) => void;
  shown: number;
}

function Filters({ agents, search, onChange, shown }: FiltersProps) {
  const { t } = useTranslation();
  const projects = projectsOf(agents).map((name) => ({ value: name, label: name }));
  return (
    <>
      <div className="w-full sm:w-56">
        <FilterField
          label={t('katalog.search')}
          value={search.q ?? ''}
          onChange={(q) => onChange({ q: q || undefined })}
        />
      </div>
      <div className="w-40">
        <SelectField
          label={t('katalog.project')}
          hideLabel
          value={search.projekt ?? ''}
          options={[{ value: '', label: t('katalog.allProjects') }, ...projects]}
          onChange={(projekt) => onChange({ projekt: projekt || undefined })}
        />
      </div>
      <p role="status" className="self-center text-xs text-ink-3">
        {shown === agents.length
          ? t('katalog.countAll', { count: shown })
          : t('katalog.countSome', { shown, all: agents.length })}
      </p>
    </>
  );
}
