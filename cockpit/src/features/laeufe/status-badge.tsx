import { useTranslation } from 'react-i18next';
import { useFormat } from '../../format/use-format.ts';
import { Badge } from '../../ui/badge.tsx';
import { outcomeOf } from './outcome.ts';

interface StatusBadgeProps {
  status: string;
  /** Burnt money of the run, in EUR: one that has some did not simply go well, whatever its last call says. */
  burnt?: string | undefined;
  title?: string | undefined;
}

/** The status of a run or a call: success and aborting in the reader's language and calm, failures in the word that was sent. */
export function StatusBadge({ status, burnt, title }: StatusBadgeProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const outcome = outcomeOf(status);
  if (outcome === 'succeeded' && Number(burnt ?? 0) > 0)
    return (
      <Badge tone="warn" title={title ?? t('laeufe.burntHint')}>
        {t('laeufe.burnt', { amount: format.money(burnt ?? null) })}
      </Badge>
    );
  return (
    <Badge
      tone={outcome === 'failed' ? 'harm' : 'neutral'}
      title={title ?? (outcome === 'aborted' ? t('laeufe.abortedHint') : undefined)}
    >
      <span className="max-w-32 truncate">{outcome === 'failed' ? status : t(`laeufe.${outcome}`)}</span>
    </Badge>
  );
}
