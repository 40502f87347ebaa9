import { useTranslation } from 'react-i18next';
import type { Neubepreisung } from '../../api/types.ts';
import { Badge } from '../../ui/badge.tsx';

const tones = {
  vorschau: 'accent',
  bereit: 'neutral',
  laeuft: 'accent',
  fertig: 'good',
  abgebrochen: 'warn',
  fehlgeschlagen: 'harm',
} as const;

/** How far a repricing has come, in a word. */
export function StatusBadge({ of: { status } }: { of: Pick<Neubepreisung, 'status'> }) {
  const { t } = useTranslation();
  return <Badge tone={tones[status]}>{t(`neubepreisung.status.${status}`)}</Badge>;
}
