import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import type { Quota } from './draft.ts';

/** What holds where nothing is said: no limit for a key, what the configuration says for a Mandant. */
type Otherwise = 'unlimited' | 'byDefault';

/** Writes a quota, as `6.000 Anfragen, 600.000 Ereignisse je Minute`. */
export function useQuotaText() {
  const { t } = useTranslation();
  return useCallback(
    ({ anfragen_je_minute, ereignisse_je_minute }: Quota, otherwise: Otherwise): string => {
      const rest = t(`kontingente.${otherwise}`);
      const requests =
        anfragen_je_minute === null ? null : t('kontingente.requests', { count: anfragen_je_minute });
      const events =
        ereignisse_je_minute === null ? null : t('kontingente.events', { count: ereignisse_je_minute });
      if (requests === null) return events === null ? rest : t('kontingente.onlyEvents', { events, rest });
      return events === null
        ? t('kontingente.onlyRequests', { requests, rest })
        : t('kontingente.both', { requests, events });
    },
    [t],
  );
}
