import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { AlarmEinstellungen } from '../../api/types.ts';
import { useFormat } from '../../format/use-format.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Panel } from '../../ui/panel.tsx';
import { SecretOutput } from '../../ui/secret-output.tsx';
import { useRenewSecret } from './use-alarms.ts';

function State({ unterschrift_seit: seit, unterschrift_frueher_bis: bis }: AlarmEinstellungen) {
  const { t } = useTranslation();
  const format = useFormat();
  if (seit === null) return <p className="text-ink-2">{t('alarme.unsigned')}</p>;
  return (
    <p className="text-ink-2">
      {t('alarme.signedSince', { time: format.instant(seit, 'dateTime') })}
      {bis && ` ${t('alarme.formerUntil', { time: format.instant(bis, 'dateTime') })}`}
    </p>
  );
}

/** What the general webhook is signed with: made here, shown once, renewed. */
export function SignaturePanel({ settings }: { settings: AlarmEinstellungen }) {
  const { t } = useTranslation();
  const [fresh, setFresh] = useState<string | null>(null);
  const [asking, setAsking] = useState(false);
  const renew = useRenewSecret((geheimnis) => {
    setFresh(geheimnis);
    setAsking(false);
  });
  const isFirst = settings.unterschrift_seit === null;
  return (
    <Panel title={t('alarme.signature')}>
      <div className="flex flex-col items-start gap-3">
        <p className="max-w-prose text-ink-2">{t('alarme.signatureText')}</p>
        <State {...settings} />
        {fresh && (
          <div className="flex w-full flex-col gap-2">
            <SecretOutput label={t('alarme.secret')} value={fresh} what={t('alarme.secret')} />
            <Notice tone="warn" live>
              {t('alarme.secretOnce')}
            </Notice>
          </div>
        )}
        {renew.error && !asking && <ErrorNotice error={renew.error} />}
        <Button busy={renew.isPending} onClick={() => (isFirst ? renew.mutate() : setAsking(true))}>
          {t(isFirst ? 'alarme.makeSecret' : 'alarme.renewSecret')}
        </Button>
      </div>
      {asking && (
        <ConfirmDialog
          title={t('alarme.renewTitle')}
          description={t('alarme.renewText')}
          confirm={t('alarme.renewSecret')}
          error={renew.error}
          busy={renew.isPending}
          onConfirm={() => renew.mutate()}
          onClose={() => setAsking(false)}
        />
      )}
    </Panel>
  );
}
