import { useTranslation } from 'react-i18next';
import type { Import } from '../../api/types.ts';
import { Badge } from '../../ui/badge.tsx';

const tones = {
  liest: 'accent',
  bereit: 'neutral',
  laeuft: 'accent',
  fertig: 'good',
  ruecknahme: 'accent',
  zurueckgenommen: 'warn',
  fehlgeschlagen: 'harm',
} as const;

/** How far an import has come, in a word. */
export function StatusBadge({ of: { status } }: { of: Pick<Import, 'status'> }) {
  const { t } = useTranslation();
  return <Badge tone={tones[status]}>{t(`importe.status.${status}`)}</Badge>;
}
