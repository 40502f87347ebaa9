import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { alarmEinstellungenQuery, kontoQuery } from '../../api/queries.ts';
import { Loaded } from '../../ui/loaded.tsx';
import { Page } from '../../ui/page.tsx';
import { ChannelsPanel } from './channels-panel.tsx';
import { LogPanel } from './log-panel.tsx';
import { RecipientsPanel } from './recipients-panel.tsx';
import { SignaturePanel } from './signature-panel.tsx';
import { TimesPanel } from './times-panel.tsx';

/** Where alarms go, how they come, and what became of them. */
export function AlarmPage(): ReactNode {
  const { t } = useTranslation();
  const konto = useQuery(kontoQuery);
  const einstellungen = useQuery(alarmEinstellungenQuery);
  return (
    <Page title={t('alarme.title')}>
      <Loaded query={konto}>
        {({ alarme }) =>
          // Only who may set them comes here.
          alarme && (
            <>
              <RecipientsPanel recipients={alarme.empfaenger} />
              <ChannelsPanel channels={alarme} />
            </>
          )
        }
      </Loaded>
      <Loaded query={einstellungen}>
        {(settings) => (
          <>
            <SignaturePanel settings={settings} />
            <TimesPanel settings={settings} />
          </>
        )}
      </Loaded>
      <LogPanel />
    </Page>
  );
}
