import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { schluesselQuery } from '../../api/queries.ts';
import { Button, linkClass } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { LoadError } from '../../ui/load-error.tsx';
import { MoreRows } from '../../ui/more-rows.tsx';
import { Page } from '../../ui/page.tsx';
import { Frame } from '../../ui/panel.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { FreshKey } from './fresh-key.tsx';
import { KeysTable } from './keys-panel.tsx';
import { NewKeyDialog } from './new-key-dialog.tsx';
import { useMayManageKeys } from './use-keys.ts';

function HowTo() {
  const { t } = useTranslation();
  return (
    <p className="text-sm text-ink-2">
      {t('schluessel.howTo')}{' '}
      <Link to="/anbindung" className={linkClass}>
        {t('nav.connect')}
      </Link>
      .
    </p>
  );
}

/** The API keys of the Mandant. */
export function KeysPage(): ReactNode {
  const { t } = useTranslation();
  const may = useMayManageKeys();
  const [adding, setAdding] = useState(false);
  const [fresh, setFresh] = useState<string | null>(null);
  const { data, error, refetch, ...pages } = useInfiniteQuery(schluesselQuery);
  const add = may && (
    <Button kind="primary" onClick={() => setAdding(true)}>
      {t('schluessel.add')}
    </Button>
  );
  const keys = data?.pages.flatMap((page) => page.schluessel ?? []) ?? [];
  return (
    <Page title={t('schluessel.title')} actions={keys.length > 0 && add}>
      {fresh !== null && <FreshKey value={fresh} />}
      {!data ? (
        error ? (
          <LoadError error={error} onRetry={refetch} />
        ) : (
          <Skeleton lines={4} height="h-9" />
        )
      ) : keys.length === 0 ? (
        <EmptyState title={t('schluessel.needed')} action={add}>
          {t(may ? 'schluessel.neededText' : 'anbindung.noKeyNoRight')}
        </EmptyState>
      ) : (
        <Frame>
          <KeysTable keys={keys} />
          <MoreRows pages={pages} count={keys.length} />
        </Frame>
      )}
      <HowTo />
      {adding && <NewKeyDialog onClose={() => setAdding(false)} onCreated={setFresh} />}
    </Page>
  );
}
