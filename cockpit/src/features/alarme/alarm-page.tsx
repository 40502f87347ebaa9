import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { kontoQuery } from '../../api/queries.ts';
import { Loaded } from '../../ui/loaded.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Page } from '../../ui/page.tsx';
import { ChannelsPanel } from './channels-panel.tsx';
import { RecipientsPanel } from './recipients-panel.tsx';

/** Where alarms go. */
export function AlarmPage(): ReactNode {
  const { t } = useTranslation();
  const query = useQuery(kontoQuery);
  return (
    <Page title={t('alarme.title')}>
      <Notice tone="warn">{t('alarme.noEffect')}</Notice>
      <Loaded query={query}>
        {({ alarme }) =>
          // Only who may set them comes here.
          alarme && (
            <>
              <RecipientsPanel addresses={alarme.email} />
              <ChannelsPanel channels={alarme} />
            </>
          )
        }
      </Loaded>
    </Page>
  );
}
