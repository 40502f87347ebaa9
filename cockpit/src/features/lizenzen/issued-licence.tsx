import { useTranslation } from 'react-i18next';
import { Button } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Panel } from '../../ui/panel.tsx';
import { saveText } from '../../ui/save-file.ts';
import { SecretOutput } from '../../ui/secret-output.tsx';
import type { Issued } from './use-licences.ts';

/** The two settings as a file of environment variables. */
const settingsOf = ({ token, pruefschluessel }: Issued) =>
  `LIZENZ=${token}\nLIZENZ_PRUEFSCHLUESSEL='${pruefschluessel}'\n`;

/** A licence in full, this once, with the key it is checked with. */
export function IssuedLicence({ issued }: { issued: Issued }) {
  const { t } = useTranslation();
  const { lizenz, token, pruefschluessel } = issued;
  const save = () => saveText(`lizenz-${lizenz.lizenz_id}.env`, 'text/plain', settingsOf(issued));
  return (
    <Panel
      title={t('lizenzen.freshTitle', { kunde: lizenz.kunde })}
      aside={<Button onClick={save}>{t('lizenzen.save')}</Button>}
    >
      <div className="flex flex-col gap-3">
        <Notice tone="warn" live>
          {t('lizenzen.freshWarning')}
        </Notice>
        <p className="font-mono text-xs">LIZENZ</p>
        <SecretOutput label="LIZENZ" value={token} what={t('lizenzen.one')} />
        <p className="font-mono text-xs">LIZENZ_PRUEFSCHLUESSEL</p>
        <SecretOutput label="LIZENZ_PRUEFSCHLUESSEL" value={pruefschluessel} what={t('lizenzen.key')} />
      </div>
    </Panel>
  );
}
