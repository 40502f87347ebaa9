import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { lazy, type ReactNode, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { uebersichtQuery } from '../../api/queries.ts';
import type { Uebersicht } from '../../api/types.ts';
import { loadTexts } from '../../i18n/index.ts';
import { Badge } from '../../ui/badge.tsx';
import { LoadError } from '../../ui/load-error.tsx';
import { Page } from '../../ui/page.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { StaleNotice } from '../../ui/stale-notice.tsx';
import { useChange } from '../../ui/use-change.ts';
import { StatementLink } from '../weiterbelastung/index.ts';
import { CoursePanel } from './course-panel.tsx';
import { Coverage } from './coverage.tsx';
import { NeverAnyData, NoneInPeriod } from './empty.tsx';
import { FiguresRow } from './figures-row.tsx';
import { OrdinaryPanel } from './ordinary-panel.tsx';
import type { FiguresSearch } from './search.ts';
import { useAgents, useNameOf } from './use-names.ts';
import { useOrdinary, useTogether } from './use-ordinary.ts';
import { useView, type View } from './use-view.ts';
import type { Filter } from './view.ts';
import { UnreadableNotice, ViewBar } from './view-bar.tsx';

// What stands beside the figures comes after them.
const Ranks = lazy(async () => ({ default: (await import('./ranks.tsx')).Ranks }));
// Only what is filtered has runs of its own here; what they say comes with the pages of runs.
const DearestRuns = lazy(async () => {
  const [{ DearestRuns: runs }] = await Promise.all([import('./dearest-runs.tsx'), loadTexts('later')]);
  return { default: runs };
});

// Whatever period is shown, it is about this month.
const ForecastLine = lazy(async () => ({ default: (await import('./forecast-line.tsx')).ForecastLine }));

const route = getRouteApi('/cockpit/');

/** Where the money goes: the page one opens in the morning; filtered, the page of a customer, project, model or function. */
export function OverviewPage(): ReactNode {
  const { t } = useTranslation();
  const search = route.useSearch();
  const put = useChange(search, route.useNavigate());
  const view = useView(search);
  const nameOf = useNameOf(view.zeitraum);
  const asked = useQuery(uebersichtQuery(view.zeitraum, view.werte));
  const { filter } = view;
  // What others look at changes the way back; how it is drawn does not.
  const change = (next: FiguresSearch) => put(next, { replace: !('zeitraum' in next || 'agent' in next) });
  return (
    <Page
      title={filter ? nameOf(filter.dimension, filter.value) : t('verbrauch.title')}
      above={filter && <Kind filter={filter} zeitraum={view.zeitraum} />}
      beside={asked.data?.demo && <Badge tone="accent">{t('verbrauch.demo')}</Badge>}
      actions={<ViewBar view={view} onChange={change} />}
    >
      <UnreadableNotice of={search} />
      <StaleNotice of={asked} />
      <Content asked={asked} search={search} view={view} onChange={change} />
    </Page>
  );
}

interface ViewedProps {
  search: FiguresSearch;
  view: View;
  onChange: (search: FiguresSearch) => void;
}

/** The figures below what is out of the ordinary, or why there are none. */
function Content({ asked, search, view, onChange }: ViewedProps & { asked: UseQueryResult<Uebersicht> }) {
  const { data, error } = asked;
  const { filter, zeitraum } = view;
  const ordinary = useOrdinary(zeitraum, !filter);
  const together = useTogether(zeitraum, data !== undefined, ordinary.settled);
  if (error && !data) return <LoadError error={error} onRetry={asked.refetch} />;
  if (!data || together === 'waiting') return <OverviewSkeleton />;
  if (data.daten_von === null) return <NeverAnyData />;
  if (data.summe.aufrufe === 0)
    return (
      <NoneInPeriod
        zeitraum={zeitraum}
        datenBis={filter ? null : data.daten_bis}
        onChange={(other) => onChange({ zeitraum: other })}
      />
    );
  return (
    <>
      {!filter && (
        <OrdinaryPanel
          of={ordinary}
          late={together === 'late'}
          zeitraum={zeitraum}
          kosten={data.summe.kosten_eur}
        />
      )}
      <Overview data={data} search={search} view={view} onChange={onChange} />
    </>
  );
}

/** What kind of value the page is about, and the way to all of its kind. */
function Kind({ filter, zeitraum }: { filter: Filter; zeitraum: string }) {
  const { t } = useTranslation();
  const agent = useAgents(zeitraum).get(filter.value);
  const className = 'text-xs text-ink-2 hover:underline';
  return (
    <p className="flex gap-3">
      <Link to="/aufschluesselung" search={{ nach: filter.dimension }} className={className}>
        {t(`ansicht.merkmale.${filter.dimension}`)}
      </Link>
      {filter.dimension === 'agent' && agent && (
        <Link to="/agenten/$agent_id" params={{ agent_id: agent.agent_id }} className={className}>
          {t('ansicht.agentPage')}
        </Link>
      )}
      {filter.dimension === 'endkunde' && <StatementLink referenz={filter.value} className={className} />}
    </p>
  );
}

function OverviewSkeleton() {
  return (
    <>
      <Skeleton lines={1} height="h-24" />
      <Skeleton lines={1} height="h-72" />
      <Skeleton lines={1} height="h-64" />
    </>
  );
}

function Overview({ data, search, view, onChange }: ViewedProps & { data: Uebersicht }) {
  const measure = search.wert ?? 'kosten';
  return (
    <>
      <FiguresRow
        summe={data.summe}
        vorher={view.compares ? data.vorher : undefined}
        selected={measure}
        onSelect={(wert) => onChange({ wert })}
      />
      <Coverage
        summe={data.summe}
        gezaehltBis={data.gezaehlt_bis}
        quellen={data.kursquellen}
        kurs={data.kurs}
        modell={view.filter?.dimension === 'modell' ? view.filter.value : undefined}
      />
      {!view.filter && (
        // As high as it will be, so that nothing moves when it comes.
        <div className="-mt-2 min-h-5">
          <Suspense>
            <ForecastLine />
          </Suspense>
        </div>
      )}
      <CoursePanel
        course={data}
        measure={measure}
        view={search.ansicht ?? 'diagramm'}
        onView={(next) => onChange(next === 'tabelle' ? { ansicht: next } : { ansicht: undefined })}
        before={view.compares && data.vorher.aufrufe > 0 ? data.verlauf_vorher : null}
        stack={{ ...view, by: search.stapel, filtered: view.filter?.dimension }}
        onStack={(stapel) => onChange({ stapel })}
        onDays={(first, last) => onChange({ zeitraum: `${first}..${last}` })}
      />
      <Suspense fallback={<Skeleton lines={1} height="h-64" />}>
        <Ranks data={data} view={view} measure={measure} />
      </Suspense>
      {view.filter && (
        <Suspense fallback={<Skeleton lines={1} height="h-64" />}>
          <DearestRuns view={view} />
        </Suspense>
      )}
    </>
  );
}
