import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { kontoQuery, wechselkurseQuery } from '../../api/queries.ts';
import type { Wechselkurse } from '../../api/types.ts';
import { useFormat } from '../../format/use-format.ts';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { Facts } from '../../ui/facts.tsx';
import { CheckField } from '../../ui/field.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Page } from '../../ui/page.tsx';
import { Panel } from '../../ui/panel.tsx';
import { toast } from '../../ui/toast.tsx';
import { useSetRates } from './use-settings.ts';

function SubstituteSwitch({ checked }: { checked: boolean }) {
  const { t } = useTranslation();
  // Shows at once; waiting for the answer, the box would jump back first.
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

/** The reference rates that are known, the latest first, and the substitute. */
function KnownRates({ referenzkurse, geholt_am, ersatzkurs }: Wechselkurse) {
  const { t } = useTranslation();
  const format = useFormat();
  const rateText = (usd_eur: string) => t('kurse.rate', { rate: format.decimal(usd_eur) });
  const substitute = ersatzkurs.tag
    ? t('kurse.substituteOf', { day: format.day(ersatzkurs.tag) })
    : t('kurse.substitute');
  return (
    <>
      {geholt_am === null && <p className="text-sm text-ink-2">{t('kurse.none')}</p>}
      <Facts
        facts={[
          ...referenzkurse.map(({ tag, usd_eur }) => ({ label: format.day(tag), value: rateText(usd_eur) })),
          { label: substitute, value: rateText(ersatzkurs.usd_eur) },
        ]}
      />
      {geholt_am !== null && (
        <p className="text-xs text-ink-3">
          {t('kurse.fetched', { when: format.instant(geholt_am, 'dateTime') })}
        </p>
      )}
    </>
  );
}

/** The exchange rates, and what may become of costs that were converted at the substitute rate. */
export function RatesPage(): ReactNode {
  const { t } = useTranslation();
  const query = useQuery(kontoQuery);
  const rates = useQuery(wechselkurseQuery);
  return (
    <Page title={t('kurse.title')}>
      <p className="max-w-prose text-ink-2">{t('kurse.text')}</p>
      <Panel title={t('kurse.known')}>
        <Loaded query={rates} lines={6}>
          {(known) => <KnownRates {...known} />}
        </Loaded>
      </Panel>
      <Panel title={t('kurse.setting')}>
        <Loaded query={query} lines={2}>
          {({ mandant }) => <SubstituteSwitch checked={mandant.ersatzkurs_ersetzen} />}
        </Loaded>
      </Panel>
    </Page>
  );
}
