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

/** Findings of one object that came close to one another: the open ones, the gravest first, or those that were closed. */
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
              <Incidents of={vorfaelle} apart={status === 'offen'} onClose={setClosing} />
              <MoreRows pages={pages} count={vorfaelle.length} label={t('befunde.incidents.loadMore')} />
            </Frame>
          )
        }
      </Loaded>
      {closing && <CloseDialog vorfall={closing} onClose={() => setClosing(null)} />}
    </Page>
  );
}

interface IncidentsProps {
  of: Vorfall[];
  /** Whether those of shadow mode stand apart, below the others. */
  apart: boolean;
  onClose: (vorfall: Vorfall) => void;
}

function Incidents({ of, apart, onClose }: IncidentsProps) {
  const { t } = useTranslation();
  const noted = of.filter(({ schatten }) => apart && schatten);
  const acted = of.filter(({ schatten }) => !(apart && schatten));
  const rowOf = (vorfall: Vorfall) => (
    <IncidentRow key={vorfall.vorfall_id} of={vorfall} onClose={() => onClose(vorfall)} />
  );
  return (
    <>
      {acted.length > 0 && <ol>{acted.map(rowOf)}</ol>}
      {noted.length > 0 && (
        <section aria-labelledby="vorfaelle-schatten" className={acted.length > 0 ? 'border-t' : ''}>
          <div className="flex flex-wrap items-baseline gap-x-3 border-b bg-sunken px-4 py-2">
            <h2 id="vorfaelle-schatten" className="text-sm">
              {t('befunde.incidents.shadow')}
            </h2>
            <p className="text-xs text-ink-2">{t('befunde.incidents.shadowHint')}</p>
          </div>
          <ol>{noted.map(rowOf)}</ol>
        </section>
      )}
    </>
  );
}
