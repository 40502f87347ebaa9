import { useInfiniteQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { lizenzenQuery } from '../../api/queries.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { LoadError } from '../../ui/load-error.tsx';
import { MoreRows } from '../../ui/more-rows.tsx';
import { Page } from '../../ui/page.tsx';
import { Frame } from '../../ui/panel.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { IssuedLicence } from './issued-licence.tsx';
import { LicencesTable } from './licences-table.tsx';
import { NewLicenceDialog } from './new-licence-dialog.tsx';
import type { Issued } from './use-licences.ts';

/** Licences of self-hosted installations, for operators: made out, blocked, let go. */
export function LicencesPage(): ReactNode {
  const { t } = useTranslation();
  const [adding, setAdding] = useState(false);
  const [issued, setIssued] = useState<Issued | null>(null);
  const { data, error, refetch, ...pages } = useInfiniteQuery(lizenzenQuery);
  const add = (
    <Button kind="primary" onClick={() => setAdding(true)}>
      {t('lizenzen.add')}
    </Button>
  );
  const licences = data?.pages.flatMap((page) => page.lizenzen) ?? [];
  return (
    <Page title={t('lizenzen.title')} actions={licences.length > 0 && add}>
      {issued && <IssuedLicence issued={issued} />}
      {!data ? (
        error ? (
          <LoadError error={error} onRetry={refetch} />
        ) : (
          <Skeleton lines={4} height="h-9" />
        )
      ) : licences.length === 0 ? (
        <EmptyState title={t('lizenzen.none')} action={add}>
          {t('lizenzen.noneText')}
        </EmptyState>
      ) : (
        <Frame>
          <LicencesTable licences={licences} />
          <MoreRows pages={pages} count={licences.length} />
        </Frame>
      )}
      {adding && <NewLicenceDialog onClose={() => setAdding(false)} onIssued={setIssued} />}
    </Page>
  );
}
