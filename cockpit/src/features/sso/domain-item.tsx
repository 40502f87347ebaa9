import { useTranslation } from 'react-i18next';
import type { SsoDomain } from '../../api/types.ts';
import { useFormat } from '../../format/use-format.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { CopyLine } from '../../ui/copy-line.tsx';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { Notice } from '../../ui/notice.tsx';
import { useCheckDomain } from './use-sso.ts';

/** The record that proves the domain, and whether it is there already. */
function Proof({ entry }: { entry: SsoDomain }) {
  const { t } = useTranslation();
  const check = useCheckDomain();
  const missing = check.data?.status === 'offen' && !check.isPending;
  return (
    <div className="mt-2 flex flex-col gap-2 rounded bg-sunken p-3">
      <p className="text-sm text-ink-2">{t('sso.proofText')}</p>
      <CopyLine label={t('sso.recordName')} value={entry.eintrag} />
      <CopyLine label={t('sso.recordValue')} value={entry.nachweis} />
      <div>
        <Button
          busy={check.isPending}
          aria-label={t('sso.checkNamed', { domain: entry.domain })}
          onClick={() => check.mutate(entry.domain)}
        >
          {t('sso.check')}
        </Button>
      </div>
      {missing && (
        <Notice tone="warn" live>
          {t('sso.notYet')}
        </Notice>
      )}
      {check.error && <ErrorNotice error={check.error} />}
    </div>
  );
}

/** A mail domain of the Mandant. */
export function DomainItem({ entry, onRemove }: { entry: SsoDomain; onRemove: () => void }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { domain, status, bewiesen_am } = entry;
  return (
    <li className="border-t px-4 py-2.5">
      <div className="flex items-center gap-3">
        <p className="flex min-w-0 grow flex-wrap items-center gap-x-2">
          <span className="truncate font-medium" title={domain}>
            {domain}
          </span>
          <Badge tone={status === 'bewiesen' ? 'good' : 'warn'}>{t(`sso.domainStatus.${status}`)}</Badge>
          {bewiesen_am && (
            <span className="text-xs text-ink-3">
              {t('sso.provenOn', { time: format.instant(bewiesen_am, 'dateTime') })}
            </span>
          )}
        </p>
        <Button aria-label={t('sso.removeNamed', { domain })} onClick={onRemove}>
          {t('sso.remove')}
        </Button>
      </div>
      {status === 'offen' && <Proof entry={entry} />}
    </li>
  );
}
