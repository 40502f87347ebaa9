import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from './button.tsx';
import { onSteadyPress } from './steady-press.ts';

/** What a list in pages says of itself. */
export interface Pages {
  hasNextPage: boolean;
  isFetchingNextPage: boolean;
  fetchNextPage: () => unknown;
}

interface MoreRowsProps {
  pages: Pages;
  /** Rows that are loaded. */
  count: number;
  /** Search and order are made here: they are of the loaded rows only. */
  local?: boolean;
  /** Instead of how many rows are loaded; shown on the last page, too. */
  status?: string;
  /** The words of the button, where "more" does not say it. */
  label?: string;
}

/** The foot of a list in pages: that there is more, and the way to it. Nothing where all is there. */
export function MoreRows({ pages, count, local = false, status, label }: MoreRowsProps): ReactNode {
  const { t } = useTranslation();
  const load = () => void pages.fetchNextPage();
  if (!pages.hasNextPage && status === undefined) return null;
  return (
    <div className="flex flex-wrap items-center gap-3 border-t px-4 py-3">
      <p role="status" className="grow text-xs text-ink-3">
        {status ?? [t('ui.loadedSome', { count }), ...(local ? [t('ui.ofLoaded')] : [])].join(' ')}
      </p>
      {pages.hasNextPage && (
        <Button busy={pages.isFetchingNextPage} onClick={load} onPointerDown={onSteadyPress(load)}>
          {label ?? t('ui.loadMore')}
        </Button>
      )}
    </div>
  );
}
