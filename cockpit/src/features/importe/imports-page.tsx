import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { importeQuery } from '../../api/queries.ts';
import type { Import } from '../../api/types.ts';
import { buttonClass } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { MoreRows } from '../../ui/more-rows.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Page } from '../../ui/page.tsx';
import { Frame, Panel } from '../../ui/panel.tsx';
import { StaleNotice } from '../../ui/stale-notice.tsx';
import { ImportForm } from './import-form.tsx';
import { ImportsTable } from './imports-table.tsx';
import { isUnderWay } from './state.ts';
import { useMayImport } from './use-import.ts';

/** Bringing calls of the past along: reading a file, and what was read before. */
export function ImportsPage(): ReactNode {
  const { t } = useTranslation();
  const listed = useInfiniteQuery(importeQuery);
  const { data, error, refetch, ...pages } = listed;
  return (
    <Page
      title={t('importe.title')}
      above={
        <Link to="/anbindung" className="text-xs text-ink-2 hover:underline">
          {t('anbindung.title')}
        </Link>
      }
    >
      <StaleNotice of={listed} />
      <Loaded query={{ data: data?.pages.flatMap((page) => page.importe), error, refetch }}>
        {(rows) => (
          <>
            <Begin rows={rows} />
            {rows.length === 0 ? (
              <EmptyState title={t('importe.empty')}>{t('importe.emptyText')}</EmptyState>
            ) : (
              <Frame>
                <ImportsTable rows={rows} />
                <MoreRows pages={pages} count={rows.length} label={t('importe.loadMore')} />
              </Frame>
            )}
          </>
        )}
      </Loaded>
    </Page>
  );
}

/** The way to a new one, or that one is under way. */
function Begin({ rows }: { rows: Import[] }) {
  const { t } = useTranslation();
  const may = useMayImport();
  const underWay = rows.find(isUnderWay);
  if (underWay)
    return (
      <Notice
        action={
          <Link
            to="/anbindung/importe/$import_id"
            params={{ import_id: underWay.import_id }}
            className={buttonClass()}
          >
            {t('importe.look')}
          </Link>
        }
      >
        {t('importe.underWay', { file: underWay.datei })}
      </Notice>
    );
  if (!may) return null;
  return (
    <Panel title={t('importe.new')}>
      <ImportForm replaces={rows.some(({ angewendet_am }) => angewendet_am === null)} />
    </Panel>
  );
}
