import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
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
  const { mutate, isPending, variables, error } = useSetRates(() => toast(t('kurse.saved')));
  return (
    <>
      <CheckField
        label={t('kurse.label')}
        hint={t('kurse.hint')}
        // What is wanted shows at once; a refusal takes it back.
        checked={isPending ? variables.ersatzkurs_ersetzen : checked}
        disabled={isPending}
        onChange={(event) => mutate({ ersatzkurs_ersetzen: event.target.checked })}
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
