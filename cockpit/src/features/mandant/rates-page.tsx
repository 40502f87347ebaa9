import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { kontoQuery } from '../../api/queries.ts';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { CheckField } from '../../ui/field.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Page } from '../../ui/page.tsx';
import { Panel } from '../../ui/panel.tsx';
import { toast } from '../../ui/toast.tsx';
import { useSetRates } from './use-settings.ts';

function SubstituteSwitch({ checked }: { checked: boolean }) {
  const { t } = useTranslation();
  // Shows at once; whoever waits for the answer sees the box jump back first.
  const [wanted, setWanted] = useState<boolean | null>(null);
  const { mutate, isPending, error } = useSetRates(() => toast(t('kurse.saved')));
  return (
    <>
      <CheckField
        label={t('kurse.label')}
        hint={t('kurse.hint')}
        checked={wanted ?? checked}
        disabled={isPending}
        onChange={(event) => {
          const ersatzkurs_ersetzen = event.target.checked;
          setWanted(ersatzkurs_ersetzen);
          mutate({ ersatzkurs_ersetzen }, { onSettled: () => setWanted(null) });
        }}
      />
      {error && <ErrorNotice error={error} />}
    </>
  );
}

/** What may become of costs that were converted at the substitute rate. */
export function RatesPage(): ReactNode {
  const { t } = useTranslation();
  const query = useQuery(kontoQuery);
  return (
    <Page title={t('kurse.title')}>
      <p className="max-w-prose text-ink-2">{t('kurse.text')}</p>
      <Panel title={t('kurse.setting')}>
        <Loaded query={query} lines={2}>
          {({ mandant }) => <SubstituteSwitch checked={mandant.ersatzkurs_ersetzen} />}
        </Loaded>
      </Panel>
    </Page>
  );
}
