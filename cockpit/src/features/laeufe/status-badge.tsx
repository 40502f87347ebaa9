import { useTranslation } from 'react-i18next';
import { Badge } from '../../ui/badge.tsx';

/** The status of a run or a call: success in the reader's language and calm, everything else in the word that was sent. */
export function StatusBadge({ status, title }: { status: string; title?: string | undefined }) {
  const { t } = useTranslation();
  const succeeded = status === 'erfolgreich';
  return (
    <Badge tone={succeeded ? 'neutral' : 'harm'} title={title}>
      <span className="max-w-32 truncate">{succeeded ? t('laeufe.succeeded') : status}</span>
    </Badge>
  );
}
