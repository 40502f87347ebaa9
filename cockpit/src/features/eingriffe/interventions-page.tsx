import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { eingriffeQuery, inKraftQuery } from '../../api/queries.ts';
import type { Eingriff } from '../../api/types.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { MoreRows } from '../../ui/more-rows.tsx';
import { Page } from '../../ui/page.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import { StaleNotice } from '../../ui/stale-notice.tsx';
import { InterventionItem } from './intervention-item.tsx';

const route = getRouteApi('/cockpit/eingriffe');

/** What is in force, and what was done in the last days. */
export function InterventionsPage(): ReactNode {
  const { t } = useTranslation();
  const { tage = 7 } = route.useSearch();
  const navigate = route.useNavigate();
  const inForce = useQuery(inKraftQuery);
  const listed = useInfiniteQuery(eingriffeQuery(tage));
  const { data, error, refetch, ...pages } = listed;
  const rows = data?.pages.flatMap((page) => page.eingriffe);
  const current = inForce.data?.eingriffe ?? [];
  const choose = (days: string) => navigate({ search: { tage: days === '30' ? 30 : undefined } });
  return (
    <Page
      title={t('eingriffe.title')}
      actions={
        <Segmented
          label={t('eingriffe.period')}
          value={String(tage)}
          options={[
            { value: '7', label: t('eingriffe.last7') },
            { value: '30', label: t('eingriffe.last30') },
          ]}
          onChange={choose}
        />
      }
    >
      <StaleNotice of={listed} />
      <ListPanel title={t('eingriffe.inForce')} eingriffe={current} />
      <Loaded query={{ data: rows, error, refetch }} lines={8}>
        {(eingriffe) =>
          eingriffe.length === 0 && current.length === 0 ? (
            <EmptyState title={t('eingriffe.none')}>{t('eingriffe.noneText')}</EmptyState>
          ) : (
            <ListPanel
              title={t('eingriffe.before', { days: tage })}
              eingriffe={eingriffe.filter(({ in_kraft }) => !in_kraft)}
            >
              {pages.hasNextPage && (
                <MoreRows pages={pages} count={eingriffe.length} label={t('eingriffe.loadMore')} />
              )}
            </ListPanel>
          )
        }
      </Loaded>
    </Page>
  );
}

interface ListPanelProps {
  title: string;
  eingriffe: Eingriff[];
  /** The foot: with it the panel stands there even when its list is empty so far. */
  children?: ReactNode;
}

function ListPanel({ title, eingriffe, children }: ListPanelProps) {
  if (eingriffe.length === 0 && !children) return null;
  return (
    <Panel title={title} flush>
      <ol className="border-t">
        {eingriffe.map((eingriff) => (
          <InterventionItem key={eingriff.eingriff_id} of={eingriff} />
        ))}
      </ol>
      {children}
    </Panel>
  );
}
