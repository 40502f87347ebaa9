import { useInfiniteQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { antraegeQuery } from '../../api/queries.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { MoreRows } from '../../ui/more-rows.tsx';
import { Page } from '../../ui/page.tsx';
import { Panel } from '../../ui/panel.tsx';
import { StaleNotice } from '../../ui/stale-notice.tsx';
import { RequestItem } from './request-item.tsx';

/** What programs ask for, and what became of it. */
export function RequestsPage(): ReactNode {
  const { t } = useTranslation();
  const listed = useInfiniteQuery(antraegeQuery);
  const { data, error, refetch, ...pages } = listed;
  const rows = data?.pages.flatMap((page) => page.antraege);
  return (
    <Page title={t('antraege.title')}>
      <StaleNotice of={listed} />
      <Loaded query={{ data: rows, error, refetch }} lines={8}>
        {(antraege) =>
          antraege.length === 0 ? (
            <EmptyState title={t('antraege.none')}>{t('antraege.noneText')}</EmptyState>
          ) : (
            <Panel title={t('antraege.title')} flush>
              <ol className="border-t">
                {antraege.map((antrag) => (
                  <RequestItem key={antrag.antrag_id} of={antrag} />
                ))}
              </ol>
              {pages.hasNextPage && (
                <MoreRows pages={pages} count={antraege.length} label={t('antraege.loadMore')} />
              )}
            </Panel>
          )
        }
      </Loaded>
    </Page>
  );
}
