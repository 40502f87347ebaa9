import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { ichQuery } from '../../api/queries.ts';
import { Page } from '../../ui/page.tsx';
import { PasswordPanel } from './password-panel.tsx';
import { SecondFactorPanel } from './second-factor-panel.tsx';
import { SessionsPanel } from './sessions-panel.tsx';

/** What keeps the account of the signed-in user safe: password, second factor, sessions. */
export function SecurityPage(): ReactNode {
  const { t } = useTranslation();
  const { data: ich } = useQuery(ichQuery);
  return (
    <Page title={t('sicherheit.title')}>
      {ich && (
        <>
          <PasswordPanel ich={ich} />
          <SecondFactorPanel ich={ich} />
        </>
      )}
      <SessionsPanel />
    </Page>
  );
}
