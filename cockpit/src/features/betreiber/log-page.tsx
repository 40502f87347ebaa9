import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { type ReactNode, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { betreiberprotokollQuery } from '../../api/queries.ts';
import type { Betreibereintrag } from '../../api/types.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { LoadError } from '../../ui/load-error.tsx';
import { MoreRows } from '../../ui/more-rows.tsx';
import { Page } from '../../ui/page.tsx';
import { Frame } from '../../ui/panel.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { type DataColumn, DataTable } from '../../ui/table.tsx';
import { useColumns } from '../../ui/use-columns.tsx';
import { ObjectCell, WhatCell, WhoCell } from '../protokoll/index.ts';

const route = getRouteApi('/betreiber/protokoll');

/** Whom it touched; a Mandant whose data are removed has no name any more. */
function MandantCell({ entry: { mandant } }: { entry: Betreibereintrag }) {
  const { t } = useTranslation();
  if (!mandant) return <span className="text-ink-3">{t('betreiber.installation')}</span>;
  if (mandant.firma === null)
    return (
      <span className="text-ink-3" title={mandant.mandant_id}>
        {t('betreiber.removed')}
      </span>
    );
  return (
    <Link
      to="/betreiber/mandanten"
      search={{ mandant: mandant.mandant_id }}
      title={mandant.firma}
      className="block max-w-40 truncate text-accent hover:underline"
    >
      {mandant.firma}
    </Link>
  );
}

function useEntryColumns(): DataColumn<Betreibereintrag>[] {
  const { t } = useTranslation();
  const { text, instant } = useColumns();
  return useMemo(
    () => [
      instant('zeitpunkt', t('protokoll.time'), ({ zeitpunkt }) => zeitpunkt, { from: 'md' }),
      text('wer', t('protokoll.who'), ({ akteur }) => akteur.name, {
        cell: (entry) => <WhoCell entry={entry} />,
        from: 'md',
      }),
      text('was', t('protokoll.what'), ({ aktion }) => aktion, {
        cell: (entry) => <WhatCell entry={entry} />,
        grow: true,
      }),
      text('objekt', t('protokoll.object'), ({ objekt }) => objekt.name, {
        cell: (entry) => <ObjectCell entry={entry} />,
        from: 'xl',
      }),
      text('mandant', t('betreiber.mandant'), ({ mandant }) => mandant?.firma ?? null, {
        cell: (entry) => <MandantCell entry={entry} />,
      }),
    ],
    [t, text, instant],
  );
}

/** Every act of an operator, signed in or at the command line; of one Mandant where the address says so. */
export function LogPage(): ReactNode {
  const { t } = useTranslation();
  const { mandant } = route.useSearch();
  const columns = useEntryColumns();
  const { data, error, refetch, ...pages } = useInfiniteQuery(betreiberprotokollQuery(mandant));
  const entries = data?.pages.flatMap(({ eintraege }) => eintraege);
  return (
    <Page
      title={t('betreiber.log')}
      actions={
        mandant && (
          <Link to="/betreiber/protokoll" search={{}} className="text-sm text-accent hover:underline">
            {t('ui.resetFilters')}
          </Link>
        )
      }
    >
      <p className="max-w-prose text-ink-2">{t('betreiber.logText')}</p>
      <Frame>
        {!entries && (
          <div className="p-4">
            {error ? <LoadError error={error} onRetry={refetch} /> : <Skeleton lines={8} height="h-12" />}
          </div>
        )}
        {entries?.length === 0 && (
          <div className="p-4">
            <EmptyState title={t('betreiber.logEmpty')}>{t('betreiber.logEmptyText')}</EmptyState>
          </div>
        )}
        {entries && entries.length > 0 && (
          <>
            <DataTable
              caption={t('betreiber.log')}
              columns={columns}
              rows={entries}
              rowKey={({ eintrag_id }) => eintrag_id}
              tall
            />
            <MoreRows
              pages={pages}
              count={entries.length}
              status={t(pages.hasNextPage ? 'protokoll.shown' : 'protokoll.shownAll', {
                count: entries.length,
              })}
              label={t('protokoll.more')}
            />
          </>
        )}
      </Frame>
    </Page>
  );
}
