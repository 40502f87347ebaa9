import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { AVV_FASSUNG } from '#contracts/avv.ts';
import { ichQuery, kontoQuery } from '../../api/queries.ts';
import type { Konto } from '../../api/types.ts';
import { useFormat } from '../../format/use-format.ts';
import { Button } from '../../ui/button.tsx';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Page } from '../../ui/page.tsx';
import { toast } from '../../ui/toast.tsx';
import { Agreement, AgreementNotice, PrintButton } from './agreement.tsx';
import { useAcceptAvv } from './use-settings.ts';

type Mandant = Konto['mandant'];

/** Which version is accepted, since when and by whom; null when none is. */
function useAcceptance(mandant: Mandant): string | null {
  const { t } = useTranslation();
  const format = useFormat();
  const { avv_akzeptiert_am: at, avv_akzeptiert_von: name, avv_fassung: fassung } = mandant;
  if (at === null) return null;
  const version = fassung === null ? t('avv.versionUnknown') : t('avv.version', { fassung });
  const time = format.instant(at, 'dateTime');
  return name === null ? t('avv.accepted', { version, time }) : t('avv.acceptedBy', { version, time, name });
}

/** What is accepted; where that is not the present version, the button that accepts it. */
function Acceptance({ mandant }: { mandant: Mandant }) {
  const { t } = useTranslation();
  const accepted = useAcceptance(mandant);
  const may = useQuery(ichQuery).data?.rechte.includes('konto.verwalten') ?? false;
  const accept = useAcceptAvv(() => toast(t('avv.acceptedToast')));
  if (accepted && mandant.avv_fassung === AVV_FASSUNG) return <Notice tone="good">{accepted}.</Notice>;
  const button = may && (
    <Button kind="primary" busy={accept.isPending} onClick={() => accept.mutate()}>
      {t('avv.accept')}
    </Button>
  );
  return (
    <>
      <Notice tone="warn" action={button}>
        <strong className="font-medium">
          {accepted ? t('avv.newer', { fassung: AVV_FASSUNG }) : t('avv.open')}.
        </strong>{' '}
        {accepted ? `${accepted}.` : t('avv.openText')}
      </Notice>
      {accept.error && <ErrorNotice error={accept.error} />}
    </>
  );
}

function OwnAgreement({ mandant }: { mandant: Mandant }) {
  const { t } = useTranslation();
  const accepted = useAcceptance(mandant);
  return <Agreement firma={mandant.firma} status={`${accepted ?? t('avv.open')} · ${mandant.firma}`} />;
}

/** The data-processing agreement: to read, to accept, to print. */
export function AvvPage(): ReactNode {
  const { t } = useTranslation();
  const query = useQuery(kontoQuery);
  return (
    <Page title={t('avv.title')} actions={<PrintButton />}>
      <Loaded query={query} lines={8}>
        {({ mandant }) => (
          <>
            <Acceptance mandant={mandant} />
            <AgreementNotice />
            <OwnAgreement mandant={mandant} />
          </>
        )}
      </Loaded>
    </Page>
  );
}
