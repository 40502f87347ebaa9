import { useTranslation } from 'react-i18next';
import { useErrorText } from '../../api/use-error-text.ts';
import { useFormat } from '../../format/use-format.ts';
import type { useProbe } from './use-alarms.ts';

/** How the last test of a channel went; nothing before the first. */
export function ProbeResult({ probe: { data, error, isPending } }: { probe: ReturnType<typeof useProbe> }) {
  const { t } = useTranslation();
  const { sentence } = useErrorText();
  const format = useFormat();
  const text = () => {
    if (isPending) return t('alarme.probing');
    if (error) return sentence(error);
    if (!data) return '';
    if (data.fehler) return t('alarme.probeFailed', { reason: data.fehler[format.language] });
    if (data.kanal === 'email') return t('alarme.probeMailed');
    return t('alarme.probeArrived', { duration: format.duration(data.dauer_ms) });
  };
  const tone = error || data?.fehler ? 'text-harm' : 'text-good';
  return (
    <span role="status" className={`basis-full ${isPending ? '' : tone}`}>
      {text()}
    </span>
  );
}
