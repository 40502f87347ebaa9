import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { uebersichtQuery } from '../../api/queries.ts';
import type { Uebersicht } from '../../api/types.ts';
import { Badge } from '../../ui/badge.tsx';
import { LoadError } from '../../ui/load-error.tsx';
import { Page } from '../../ui/page.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { CoursePanel } from './course-panel.tsx';
import { Coverage } from './coverage.tsx';
import { NeverAnyData, NoneInPeriod } from './empty.tsx';
import { FiguresRow } from './figures-row.tsx';
import { PeriodPicker } from './period-picker.tsx';
import { Ranks } from './ranks.tsx';
import type { FiguresSearch } from './search.ts';

const route = getRouteApi('/cockpit/');

/** Where the money goes: the page one opens in the morning. */
export function OverviewPage(): ReactNode {
  const { t } = useTranslation();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const zeitraum = search.zeitraum ?? 'heute';
  const { data, error, refetch } = useQuery(uebersichtQuery(zeitraum));
  const change = (next: FiguresSearch) =>
    navigate({ search: (before) => ({ ...before, ...next }), replace: next.zeitraum === undefined });
  const setPeriod = (next: string) => change({ zeitraum: next });
  return (
    <Page
      title={t('verbrauch.title')}
      beside={data?.demo && <Badge tone="accent">{t('verbrauch.demo')}</Badge>}
      actions={<PeriodPicker zeitraum={zeitraum} onChange={setPeriod} />}
    >
      {error ? (
        <LoadError error={error} onRetry={refetch} />
      ) : !data ? (
        <OverviewSkeleton />
      ) : data.daten_von === null ? (
        <NeverAnyData />
      ) : data.summe.aufrufe === 0 ? (
        <NoneInPeriod zeitraum={zeitraum} datenBis={data.daten_bis} onChange={setPeriod} />
      ) : (
        <Overview data={data} search={search} onChange={change} />
      )}
    </Page>
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

interface OverviewProps {
  data: Uebersicht;
  search: FiguresSearch;
  onChange: (search: FiguresSearch) => void;
}

function Overview({ data, search, onChange }: OverviewProps) {
  const measure = search.wert ?? 'kosten';
  return (
    <>
      <FiguresRow
        summe={data.summe}
        vorher={data.vorher}
        selected={measure}
        onSelect={(wert) => onChange({ wert })}
      />
      <Coverage summe={data.summe} gezaehltBis={data.gezaehlt_bis} kurs={data.kurs} />
      <CoursePanel
        course={data}
        measure={measure}
        view={search.ansicht ?? 'diagramm'}
        onView={(view) => onChange(view === 'tabelle' ? { ansicht: view } : { ansicht: undefined })}
        onDay={(day) => onChange({ zeitraum: `${day}..${day}` })}
      />
      <Ranks data={data} measure={measure} />
    </>
  );
}
