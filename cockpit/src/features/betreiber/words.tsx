import { useTranslation } from 'react-i18next';
import type { BetreiberMandant } from '../../api/types.ts';
import { useFormat } from '../../format/use-format.ts';
import { Badge } from '../../ui/badge.tsx';
import { lastDayOf } from './draft.ts';

type Seen = { mandant: BetreiberMandant };

/** The package that holds, and until when. */
export function PackageName({ mandant: { paket_name, paket, paket_in_kraft, paket_bis, zeitzone } }: Seen) {
  const { t } = useTranslation();
  const format = useFormat();
  return (
    <span>
      {paket_name}
      {paket_bis && (
        <span className="block text-xs text-ink-3">
          {t(paket === paket_in_kraft ? 'betreiber.until' : 'betreiber.over', {
            when: format.day(lastDayOf(paket_bis, zeitzone)),
          })}
        </span>
      )}
    </span>
  );
}

/** Events of the month, beside what the package is for. */
export function LimitUse({ mandant: { monat, grenzen, ueber_grenze, verbindlich } }: Seen) {
  const { t } = useTranslation();
  const format = useFormat();
  const limit = grenzen.ereignisse_monat;
  return (
    <span>
      {format.count(monat.ereignisse)}
      {limit !== null && (
        <span className="block text-xs text-ink-3">
          {t(verbindlich ? 'betreiber.ofLimit' : 'betreiber.ofLimitLoose', { limit: format.count(limit) })}
        </span>
      )}
      {ueber_grenze && verbindlich && <Badge tone="warn">{t('betreiber.overLimit')}</Badge>}
    </span>
  );
}

/** Whether it works, or until when it can come back. */
export function StatusBadge({ mandant: { status, demo } }: Seen) {
  const { t } = useTranslation();
  return (
    <span className="flex flex-wrap gap-1">
      <Badge tone={status === 'aktiv' ? 'good' : 'warn'}>{t(`betreiber.status.${status}`)}</Badge>
      {demo && <Badge>{t('betreiber.demo')}</Badge>}
    </span>
  );
}
