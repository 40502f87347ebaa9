import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Ich } from '../../api/types.ts';
import { useFormat } from '../../format/use-format.ts';
import { Button } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { CheckField } from '../../ui/field.tsx';
import { DownloadIcon, PrintIcon } from '../../ui/icons.tsx';
import { LeaveGuard } from '../../ui/leave-guard.tsx';
import { saveText } from '../../ui/save-file.ts';

interface RecoveryCodesProps {
  ich: Ich;
  codes: string[];
  onDone: () => void;
}

/** The codes, and three ways to keep them. What is saved or printed says whose they are. */
function CodeSheet({ ich, codes }: Omit<RecoveryCodesProps, 'onDone'>) {
  const { t } = useTranslation();
  const format = useFormat();
  const owner = t('sicherheit.codesOf', {
    email: ich.benutzer.email,
    firma: ich.mandant.firma,
    day: format.instant(new Date(), 'day'),
  });
  const text = [t('sicherheit.codesFile'), owner, '', ...codes, ''].join('\r\n');
  return (
    <>
      <div data-print="">
        <div className="hidden pb-4 print:block">
          <p className="font-semibold">{t('sicherheit.codesFile')}</p>
          <p>{owner}</p>
        </div>
        <ul
          aria-label={t('sicherheit.codes')}
          className="grid grid-cols-2 gap-x-8 gap-y-1 rounded bg-sunken px-4 py-3 font-mono sm:max-w-xs"
        >
          {codes.map((code) => (
            <li key={code}>{code}</li>
          ))}
        </ul>
      </div>
      <div className="flex flex-wrap gap-2">
        <CopyButton text={codes.join('\n')} what={t('sicherheit.codes')} />
        <Button onClick={() => saveText('zaehlwerk-wiederherstellungscodes.txt', 'text/plain', text)}>
          <DownloadIcon />
          {t('sicherheit.download')}
        </Button>
        <Button onClick={() => window.print()}>
          <PrintIcon />
          {t('sicherheit.print')}
        </Button>
      </div>
    </>
  );
}

/** The recovery codes, this once; the page is left when they are saved. */
export function RecoveryCodes({ ich, codes, onDone }: RecoveryCodesProps) {
  const { t } = useTranslation();
  const [saved, setSaved] = useState(false);
  return (
    <div className="flex max-w-prose flex-col gap-4">
      <h3 className="text-base">{t('sicherheit.codesTitle')}</h3>
      <p className="-mt-3 text-ink-2">{t('sicherheit.codesText')}</p>
      <CodeSheet ich={ich} codes={codes} />
      <CheckField
        label={t('sicherheit.saved')}
        checked={saved}
        onChange={(event) => setSaved(event.target.checked)}
      />
      <Button kind="primary" className="self-start" disabled={!saved} onClick={onDone}>
        {t('sicherheit.done')}
      </Button>
      <LeaveGuard armed={!saved} title={t('sicherheit.leaveTitle')} text={t('sicherheit.leaveText')} />
    </div>
  );
}
