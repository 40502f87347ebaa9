import { useTranslation } from 'react-i18next';
import type { Schluessel } from '../../api/types.ts';
import { useFormat } from '../../format/use-format.ts';
import { Badge } from '../../ui/badge.tsx';

/** Says that the calls of a key come in hours after, or before, the time that they name; nothing of one whose clock is not known to be wrong. */
export function ClockNote({ target: { status, verbrauch } }: { target: Schluessel }) {
  const { t } = useTranslation();
  const format = useFormat();
  const seconds = verbrauch?.uhr_abweichung_s ?? null;
  // A blocked key sends nothing any more.
  if (seconds === null || status !== 'aktiv') return null;
  // To the minute: calls wait a moment before they are sent.
  const by = format.duration(Math.round(Math.abs(seconds) / 60) * 60_000);
  return (
    <Badge tone="warn" title={t('schluessel.clock.hint')}>
      {t(seconds > 0 ? 'schluessel.clock.behind' : 'schluessel.clock.ahead', { by })}
    </Badge>
  );
}
