import { useTranslation } from 'react-i18next';
import { CopyLine } from '../../ui/copy-line.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Tabs } from '../../ui/tabs.tsx';

const providers = ['entra', 'keycloak', 'google'] as const;

const issuers = {
  entra: 'https://login.microsoftonline.com/<tenant-id>/v2.0',
  keycloak: 'https://<host>/realms/<realm>',
  google: 'https://accounts.google.com',
};

function Steps({ provider }: { provider: (typeof providers)[number] }) {
  const { t } = useTranslation();
  const steps = (['one', 'two', 'three'] as const).map((step) => t(`sso.steps.${provider}.${step}`));
  return (
    <div className="flex flex-col gap-3">
      <ol className="flex max-w-prose list-decimal flex-col gap-1 pl-5 text-ink-2">
        {steps.map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ol>
      <CopyLine label={t('sso.issuerExample')} value={issuers[provider]} />
    </div>
  );
}

/** What to do at the provider before anything can be entered here. */
export function StepsPanel({ redirectUri }: { redirectUri: string }) {
  const { t } = useTranslation();
  return (
    <Panel title={t('sso.step1')}>
      <div className="flex flex-col gap-4">
        <CopyLine label={t('sso.redirect')} value={redirectUri} />
        <Tabs
          label={t('sso.provider')}
          tabs={providers.map((provider) => ({
            value: provider,
            label: t(`sso.steps.${provider}.name`),
            content: <Steps provider={provider} />,
          }))}
        />
      </div>
    </Panel>
  );
}
