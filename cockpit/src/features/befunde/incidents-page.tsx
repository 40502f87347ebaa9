import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { vorfaelleQuery } from '../../api/queries.ts';
import type { Vorfall } from '../../api/types.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { MoreRows } from '../../ui/more-rows.tsx';
import { Page } from '../../ui/page.tsx';
import { Frame } from '../../ui/panel.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import { StaleNotice } from '../../ui/stale-notice.tsx';
import { Term } from '../../ui/term.tsx';
import { CloseDialog } from './close-dialog.tsx';
import { IncidentRow } from './incident-row.tsx';

const route = getRouteApi('/cockpit/vorfaelle');

/** Findings of one object that came close to one another, the open ones first. */
export function IncidentsPage(): ReactNode {
  const { t } = useTranslation();
  const { status = 'offen' } = route.useSearch();
  const navigate = route.useNavigate();
  const [closing, setClosing] = useState<Vorfall | null>(null);
  const listed = useInfiniteQuery(vorfaelleQuery(status));
  const { data, error, refetch, ...pages } = listed;
  return (
    <Page
      title={t('befunde.incidents.title')}
      beside={<Term of="verbrannt" />}
      actions={
        <Segmented
          label={t('befunde.incidents.show')}
          value={status}
          options={[
            { value: 'offen', label: t('befunde.incidents.open') },
            { value: 'geschlossen', label: t('befunde.incidents.closed') },
          ]}
          onChange={(next) =>
            navigate({ search: { status: next === 'geschlossen' ? 'geschlossen' : undefined } })
          }
        />
      }
    >
      <StaleNotice of={listed} />
      <Loaded
        query={{ data: data?.pages.flatMap((page) => page.vorfaelle), error, refetch }}
        lines={6}
        height="h-16"
      >
        {(vorfaelle) =>
          vorfaelle.length === 0 ? (
            <EmptyState title={t(`befunde.incidents.${status === 'offen' ? 'emptyOpen' : 'emptyClosed'}`)}>
              {t('befunde.incidents.emptyText')}
            </EmptyState>
          ) : (
            <Frame>
              <ol>
                {vorfaelle.map((vorfall) => (
                  <IncidentRow key={vorfall.vorfall_id} of={vorfall} onClose={() => setClosing(vorfall)} />
                ))}
              </ol>
              <MoreRows pages={pages} count={vorfaelle.length} label={t('befunde.incidents.loadMore')} />
            </Frame>
          )
        }
      </Loaded>
      {closing && <CloseDialog vorfall={closing} onClose={() => setClosing(null)} />}
    </Page>
  );
}
