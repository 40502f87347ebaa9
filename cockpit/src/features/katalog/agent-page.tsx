import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { agentQuery, ichQuery } from '../../api/queries.ts';
import type { AgentSeite, Stufe } from '../../api/types.ts';
import { useFormat } from '../../format/use-format.ts';
import { Button } from '../../ui/button.tsx';
import { LoadError } from '../../ui/load-error.tsx';
import { Page } from '../../ui/page.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { StaleNotice } from '../../ui/stale-notice.tsx';
import { useChange } from '../../ui/use-change.ts';
import { FindingsPanel } from '../befunde/index.ts';
import { BudgetButton } from '../budgets/index.ts';
import { HandButton, InForceNotices, ProtectionButton, useDurationText } from '../eingriffe/index.ts';
import { RunsTable } from '../laeufe/index.ts';
import {
  CoursePanel,
  Coverage,
  FiguresRow,
  type FiguresSearch,
  filterSearch,
  NoneInPeriod,
  RankPanel,
  UnreadableNotice,
  useView,
  type View,
  ViewBar,
} from '../verbrauch/index.ts';
import { EditDialog } from './edit-dialog.tsx';

const route = getRouteApi('/cockpit/agenten/$agent_id');

/** One agent: what it costs, with which models, for whom, and its last runs. */
export function AgentPage(): ReactNode {
  const { t } = useTranslation();
  const { agent_id } = route.useParams();
  const search = route.useSearch();
  const put = useChange(search, route.useNavigate());
  const view = useView(search);
  const asked = useQuery(agentQuery(agent_id, view.zeitraum));
  const { data, error } = asked;
  const may = useQuery(ichQuery).data?.rechte.includes('agenten.aendern') ?? false;
  const [editing, setEditing] = useState(false);
  const change = (next: FiguresSearch) => put(next, { replace: next.zeitraum === undefined });
  return (
    <Page
      title={data?.agent.name ?? t('katalog.agent')}
      above={<Breadcrumb />}
      actions={
        <>
          {data && <HandButton target={{ agent_id }} />}
          {data && <ProtectionButton agent={data.agent} />}
          {data && <BudgetButton of={toBudgetTarget(data.agent)} />}
          {data && may && <Button onClick={() => setEditing(true)}>{t('katalog.edit')}</Button>}
          <ViewBar view={view} onChange={change} filters={false} compares={false} />
        </>
      }
    >
      <UnreadableNotice of={search} />
      <StaleNotice of={asked} />
      {error && !data ? (
        <LoadError error={error} onRetry={asked.refetch} />
      ) : !data ? (
        <Skeleton lines={3} height="h-40" />
      ) : (
        <AgentView data={data} search={search} view={view} onChange={change} />
      )}
      {data && editing && <EditDialog agent={data.agent} onClose={() => setEditing(false)} />}
    </Page>
  );
}

const toBudgetTarget = ({ agent_id, name, budget_eur, budget_bei_erreichen }: AgentSeite['agent']) => ({
  objekt_art: 'agent' as const,
  objekt_id: agent_id,
  name,
  budget_eur,
  bei_erreichen: budget_bei_erreichen ?? 'warnen',
});

function Breadcrumb() {
  const { t } = useTranslation();
  return (
    <Link to="/agenten" className="text-xs text-ink-2 hover:underline">
      {t('katalog.agents')}
    </Link>
  );
}

interface AgentViewProps {
  data: AgentSeite;
  search: FiguresSearch;
  view: View;
  onChange: (search: FiguresSearch) => void;
}

function AgentView(props: AgentViewProps) {
  const { data, view, onChange } = props;
  const { agent } = data;
  return (
    <>
      <InForceNotices calls={{ agent: agent.schluessel, projekt: agent.projekt }} />
      <MasterData agent={agent} />
      {agent.verbrauch.aufrufe === 0 ? (
        <NoneInPeriod
          zeitraum={view.zeitraum}
          datenBis={agent.letzter_aufruf_am}
          onChange={(next) => onChange({ zeitraum: next })}
        />
      ) : (
        <AgentFigures {...props} />
      )}
      <FindingsPanel of={{ agent_id: agent.agent_id }}>
        <LastRuns data={data} />
      </FindingsPanel>
    </>
  );
}

function AgentFigures({ data, search, view, onChange }: AgentViewProps) {
  const { t } = useTranslation();
  const measure = search.wert ?? 'kosten';
  const models = {
    title: t('verbrauch.topModels'),
    unnamed: t('verbrauch.noModel'),
    rows: data.modelle,
    rest: data.modelle_rest,
    csvName: `modell-${view.zeitraum}`,
  };
  const customers = {
    title: t('verbrauch.topCustomers'),
    unnamed: t('verbrauch.noCustomer'),
    rows: data.endkunden,
    rest: data.endkunden_rest,
    csvName: `endkunde-${view.zeitraum}`,
  };
  return (
    <>
      <FiguresRow summe={data.agent.verbrauch} selected={measure} onSelect={(wert) => onChange({ wert })} />
      <Coverage summe={data.agent.verbrauch} gezaehltBis={data.gezaehlt_bis} quellen={data.kursquellen} />
      <CoursePanel
        course={data}
        measure={measure}
        view={search.ansicht ?? 'diagramm'}
        onView={(view) => onChange({ ansicht: view === 'tabelle' ? view : undefined })}
        before={null}
        stack={{ ...view, werte: { agent: data.agent.schluessel }, by: search.stapel, filtered: 'agent' }}
        onStack={(stapel) => onChange({ stapel })}
        onDays={(first, last) => onChange({ zeitraum: `${first}..${last}` })}
      />
      <div className="grid gap-4 lg:grid-cols-2">
        <RankPanel {...models} measure={measure} />
        <RankPanel {...customers} measure={measure} />
      </div>
    </>
  );
}

const levels: Stufe[] = ['beobachten', 'warnen', 'drosseln', 'anhalten', 'sperren'];

function MasterData({ agent }: { agent: AgentSeite['agent'] }) {
  const { t } = useTranslation();
  const format = useFormat();
  const durationText = useDurationText();
  const level = levels.find((stufe) => stufe === agent.eingriffsstufe);
  const facts = [
    { label: t('katalog.key'), value: agent.schluessel },
    { label: t('katalog.project'), value: agent.projekt },
    { label: t('katalog.since'), value: format.instant(agent.erstellt_am, 'day') },
    {
      label: t('katalog.lastCall'),
      value: agent.letzter_aufruf_am === null ? '–' : format.instant(agent.letzter_aufruf_am, 'dateTime'),
    },
    ...(agent.budget_eur === null
      ? []
      : [{ label: t('katalog.budget'), value: format.money(agent.budget_eur) }]),
    ...(level === undefined ? [] : [{ label: t('katalog.level'), value: t(`eingriffe.action.${level}`) }]),
    ...(agent.ruhezeit === null
      ? []
      : [{ label: t('eingriffe.protection.rest'), value: durationText(agent.ruhezeit) }]),
  ];
  return (
    <dl className="-mt-2 flex flex-wrap gap-x-6 gap-y-1 text-sm">
      {facts.map(({ label, value }) => (
        <div key={label} className="flex min-w-0 gap-1.5">
          <dt className="shrink-0 text-ink-3">{label}</dt>
          <dd className="truncate" title={value}>
            {value}
          </dd>
        </div>
      ))}
    </dl>
  );
}

function LastRuns({ data }: { data: AgentSeite }) {
  const { t } = useTranslation();
  return (
    <Panel
      title={t('katalog.lastRuns')}
      flush
      aside={
        <Link
          to="/laeufe"
          search={filterSearch({ dimension: 'agent', value: data.agent.schluessel })}
          className="text-xs text-accent underline"
        >
          {t('katalog.allRuns')}
        </Link>
      }
    >
      {data.laeufe.length === 0 ? (
        <p className="px-4 pb-4 text-sm text-ink-3">{t('katalog.noRuns')}</p>
      ) : (
        <RunsTable caption={t('katalog.lastRuns')} runs={data.laeufe} hideAgent />
      )}
    </Panel>
  );
}
