import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { neubepreisungenQuery } from '../../api/queries.ts';
import type { Neubepreisung } from '../../api/types.ts';
import { useFormat } from '../../format/use-format.ts';
import { buttonClass } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { MoreRows } from '../../ui/more-rows.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Page } from '../../ui/page.tsx';
import { Frame, Panel } from '../../ui/panel.tsx';
import { StaleNotice } from '../../ui/stale-notice.tsx';
import { toDays } from './days.ts';
import { PreviewForm } from './preview-form.tsx';
import { RepricingsTable } from './repricings-table.tsx';
import { useMayReprice } from './use-repricing.ts';

/** Pricing past calls anew: asking for it, and what was asked for before. */
export function RepricingsPage(): ReactNode {
  const { t } = useTranslation();
  const listed = useInfiniteQuery(neubepreisungenQuery);
  const { data, error, refetch, ...pages } = listed;
  return (
    <Page
      title={t('neubepreisung.title')}
      above={
        <Link to="/preise" className="text-xs text-ink-2 hover:underline">
          {t('neubepreisung.prices')}
        </Link>
      }
    >
      <StaleNotice of={listed} />
      <Loaded query={{ data: data?.pages.flatMap((page) => page.neubepreisungen), error, refetch }}>
        {(rows) => (
          <>
            <Begin latest={rows[0]} />
            {rows.length === 0 ? (
              <EmptyState title={t('neubepreisung.empty')}>{t('neubepreisung.emptyText')}</EmptyState>
            ) : (
              <Frame>
                <RepricingsTable rows={rows} />
                <MoreRows pages={pages} count={rows.length} label={t('neubepreisung.loadMore')} />
              </Frame>
            )}
          </>
        )}
      </Loaded>
    </Page>
  );
}

/** The way to a new preview, or that one is under way. */
function Begin({ latest }: { latest: Neubepreisung | undefined }) {
  const { t } = useTranslation();
  const may = useMayReprice();
  if (latest?.status === 'vorschau' || latest?.status === 'laeuft')
    return <UnderWay of={latest} status={latest.status} />;
  if (!may) return null;
  return (
    <Panel title={t('neubepreisung.new')}>
      <PreviewForm replaces={latest !== undefined && latest.angewendet_am === null} />
    </Panel>
  );
}

function UnderWay({ of, status }: { of: Neubepreisung; status: 'vorschau' | 'laeuft' }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { first, last } = toDays(of);
  const link = (
    <Link
      to="/preise/neubepreisung/$neubepreisung_id"
      params={{ neubepreisung_id: of.neubepreisung_id }}
      className={buttonClass()}
    >
      {t('neubepreisung.look')}
    </Link>
  );
  return (
    <Notice action={link}>{t(`neubepreisung.underWay.${status}`, { days: format.days(first, last) })}</Notice>
  );
}
