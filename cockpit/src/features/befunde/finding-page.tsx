import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { befundQuery } from '../../api/queries.ts';
import type { Eingriff } from '../../api/types.ts';
import { LoadError } from '../../ui/load-error.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Page } from '../../ui/page.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { StaleNotice } from '../../ui/stale-notice.tsx';
import { Term } from '../../ui/term.tsx';
import { InterventionItem } from '../eingriffe/index.ts';
import { ContextFacts } from './context-facts.tsx';
import { FigureFacts } from './figure-facts.tsx';
import { FindingBadges } from './finding-badges.tsx';
import { FindingMoney } from './finding-money.tsx';
import { useFindingTexts } from './finding-texts.ts';
import { StatusActions } from './status-actions.tsx';

const route = getRouteApi('/cockpit/befunde/$befund_id');

/** One finding: its cause in a sentence, the figures behind it, and what was done. */
export function FindingPage(): ReactNode {
  const { t } = useTranslation();
  const { befund_id } = route.useParams();
  const asked = useQuery(befundQuery(befund_id));
  const { data, error } = asked;
  const { titleOf, textOf } = useFindingTexts();
  return (
    <Page
      title={data ? titleOf(data.befund) : t('befunde.one')}
      above={
        <Link to="/befunde" className="text-xs text-ink-2 hover:underline">
          {t('befunde.back')}
        </Link>
      }
      actions={data && <StatusActions of={data.befund} />}
    >
      <StaleNotice of={asked} />
      {error && !data ? (
        <LoadError error={error} onRetry={asked.refetch} />
      ) : !data ? (
        <Skeleton lines={3} height="h-24" />
      ) : (
        <>
          <div className="-mt-2 flex flex-wrap items-center gap-2">
            <FindingBadges of={data.befund} />
            {data.befund.schatten && <Term of="schatten" />}
          </div>
          {data.befund.status === 'hinfaellig' && <Notice>{t('befunde.withdrawnHint')}</Notice>}
          <p className="max-w-prose text-lg [overflow-wrap:anywhere]">{textOf(data.befund)}</p>
          <FindingMoney of={data.befund} vermieden={data.vermieden} />
          <div className="grid items-start gap-4 lg:grid-cols-2">
            <Panel title={t('befunde.context')}>
              <ContextFacts of={data.befund} />
            </Panel>
            <Panel title={t('befunde.figures')}>
              <FigureFacts werte={data.befund.werte} />
            </Panel>
          </div>
          <Interventions eingriffe={data.eingriffe} />
        </>
      )}
    </Page>
  );
}

function Interventions({ eingriffe }: { eingriffe: Eingriff[] }) {
  const { t } = useTranslation();
  return (
    <Panel title={t('befunde.interventions')} flush>
      {eingriffe.length === 0 ? (
        <p className="px-4 pb-4 text-sm text-ink-3">{t('befunde.noInterventions')}</p>
      ) : (
        <ol className="border-t">
          {eingriffe.map((eingriff) => (
            <InterventionItem key={eingriff.eingriff_id} of={eingriff} ofFinding />
          ))}
        </ol>
      )}
    </Panel>
  );
}
