import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { zwillingQuery } from '../../api/queries.ts';
import type { Zwilling } from '../../api/types.ts';
import { useFormat } from '../../format/use-format.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Page } from '../../ui/page.tsx';
import { StaleNotice } from '../../ui/stale-notice.tsx';
import { useChange } from '../../ui/use-change.ts';
import { PriceLink } from '../preise/index.ts';
import { UnreadableNotice, useView, ViewBar } from '../verbrauch/index.ts';
import { AgentsPanel } from './agents-panel.tsx';
import { CausesPanel } from './causes-panel.tsx';
import { Comparison } from './comparison.tsx';
import type { TwinSearch } from './search.ts';

const route = getRouteApi('/cockpit/zwilling');

/** What a period cost, and what it would have cost with every rule armed and with the cheaper choices. */
export function TwinPage(): ReactNode {
  const { t } = useTranslation();
  const search = route.useSearch();
  const put = useChange(search, route.useNavigate());
  const view = useView(search);
  const asked = useQuery(zwillingQuery(view.zeitraum));
  const change = (next: TwinSearch) => put(next, { replace: next.zeitraum === undefined });
  return (
    <Page
      title={t('zwilling.title')}
      actions={<ViewBar view={view} onChange={change} filters={false} compares={false} />}
    >
      <p className="-mt-2 max-w-prose text-sm text-ink-2">{t('zwilling.lead')}</p>
      <UnreadableNotice of={search} />
      <StaleNotice of={asked} />
      <Loaded query={asked} lines={8}>
        {(twin) => (
          <Twin twin={twin} sort={search.sort ?? '-gespart_eur'} onSort={(sort) => change({ sort })} />
        )}
      </Loaded>
    </Page>
  );
}

interface TwinProps {
  twin: Zwilling;
  sort: string;
  onSort: (sort: string) => void;
}

function Twin({ twin, sort, onSort }: TwinProps) {
  const { t } = useTranslation();
  if (twin.real_eur === null)
    return (
      <>
        <EmptyState title={t('zwilling.noneTitle')}>{t('zwilling.noneText')}</EmptyState>
        <Basis twin={twin} />
      </>
    );
  if (twin.gespart_eur === null)
    return <EmptyState title={t('zwilling.emptyTitle')}>{t('zwilling.emptyText')}</EmptyState>;
  return (
    <>
      <Comparison twin={twin} />
      <Basis twin={twin} />
      <CausesPanel ursachen={twin.ursachen} />
      <AgentsPanel twin={twin} sort={sort} onSort={onSort} />
    </>
  );
}

/** What the comparison rests on: up to when it was computed, what it leaves out. */
function Basis({ twin: { unbepreist, berechnet_am } }: { twin: Zwilling }) {
  const { t } = useTranslation();
  const format = useFormat();
  return (
    <p className="-mt-1.5 flex flex-wrap justify-between gap-x-4 gap-y-1 px-1 text-xs text-ink-3">
      <span>
        {berechnet_am === null
          ? t('zwilling.neverComputed')
          : t('zwilling.computedAt', { time: format.instant(berechnet_am, 'dateTime') })}
      </span>
      {unbepreist > 0 && (
        <span className="flex flex-wrap items-center gap-x-2 font-medium text-warn">
          {t('zwilling.unpriced', { count: unbepreist })} <PriceLink />
        </span>
      )}
    </p>
  );
}
