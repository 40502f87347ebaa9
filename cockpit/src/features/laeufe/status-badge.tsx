import { useTranslation } from 'react-i18next';
import { useFormat } from '../../format/use-format.ts';
import { Badge } from '../../ui/badge.tsx';

interface StatusBadgeProps {
  status: string;
  /** Burnt money of the run, in EUR: one that has some did not simply go well, whatever its last call says. */
  burnt?: string | undefined;
  title?: string | undefined;
}

/** The status of a run or a call: success in the reader's language and calm, everything else in the word that was sent. */
export function StatusBadge({ status, burnt, title }: StatusBadgeProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const succeeded = status === 'erfolgreich';
  if (succeeded && Number(burnt ?? 0) > 0)
    return (
      <Badge tone="warn" title={title ?? t('laeufe.burntHint')}>
        {t('laeufe.burnt', { amount: format.money(burnt ?? null) })}
      </Badge>
    );
  return (
    <Badge tone={succeeded ? 'neutral' : 'harm'} title={title}>
      <span className="max-w-32 truncate">{succeeded ? t('laeufe.succeeded') : status}</span>
    </Badge>
  );
}
