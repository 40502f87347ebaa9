import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { ichQuery, ssoQuery } from '../../api/queries.ts';
import { Loaded } from '../../ui/loaded.tsx';
import { Page } from '../../ui/page.tsx';
import { DomainsPanel } from './domains-panel.tsx';
import { ProviderPanel } from './provider-panel.tsx';
import { StepsPanel } from './steps-panel.tsx';

/** Login with the company account: what to enter at the provider, the provider, the mail domains. */
export function SsoPage(): ReactNode {
  const { t } = useTranslation();
  const own = useQuery(ichQuery).data?.benutzer.rolle;
  const query = useQuery(ssoQuery);
  return (
    <Page title={t('sso.title')}>
      <p className="max-w-prose text-ink-2">{t('sso.text')}</p>
      {own && (
        <Loaded query={query} lines={8}>
          {(sso) => (
            <>
              <StepsPanel redirectUri={sso.redirect_uri} />
              <ProviderPanel sso={sso} own={own} />
              <DomainsPanel sso={sso} />
            </>
          )}
        </Loaded>
      )}
    </Page>
  );
}
