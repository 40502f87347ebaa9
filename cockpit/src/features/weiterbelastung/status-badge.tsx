import { useTranslation } from 'react-i18next';
import type { Abrechnungsmonat } from '../../api/types.ts';
import { Badge } from '../../ui/badge.tsx';

const tones = { laeuft: 'accent', offen: 'warn', geschlossen: 'good' } as const;

/** How a month stands. */
export function StatusBadge({ status }: Pick<Abrechnungsmonat, 'status'>) {
  const { t } = useTranslation();
  return <Badge tone={tones[status]}>{t(`weiterbelastung.status.${status}`)}</Badge>;
}
