import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { laeufeQuery } from '../../api/queries.ts';
import { LoadError } from '../../ui/load-error.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { RunsTable } from '../laeufe/index.ts';
import type { View } from './use-view.ts';

const shown = 10;

/** The runs of what the page is about that cost most in its period. */
export function DearestRuns({ view }: { view: View }) {
  const { t } = useTranslation();
  const { von, bis, werte } = view;
  const asked = useInfiniteQuery(laeufeQuery({ von, bis, ...werte, sortierung: 'kosten', limit: shown }));
  const runs = asked.data?.pages[0]?.laeufe;
  return (
    <Panel
      title={t('ansicht.runs')}
      flush
      aside={
        <Link to="/laeufe" search={{ sortierung: 'kosten' }} className="text-xs text-accent underline">
          {t('ansicht.allRuns')}
        </Link>
      }
    >
      {asked.error && !runs ? (
        <LoadError error={asked.error} onRetry={asked.refetch} />
      ) : !runs ? (
        <Skeleton lines={4} height="h-9" />
      ) : runs.length === 0 ? (
        <p className="px-4 pb-4 text-sm text-ink-3">{t('katalog.noRuns')}</p>
      ) : (
        <RunsTable caption={t('ansicht.runs')} runs={runs} hideAgent={view.filter?.dimension === 'agent'} />
      )}
    </Panel>
  );
}
