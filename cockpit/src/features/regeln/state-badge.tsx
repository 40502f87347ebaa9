import { useTranslation } from 'react-i18next';
import type { Regel } from '../../api/types.ts';
import { Badge } from '../../ui/badge.tsx';

/** Whether a rule acts, only watches, or is not looked at. */
export function StateBadge({ of }: { of: Pick<Regel, 'aktiv' | 'schattenbetrieb'> }) {
  const { t } = useTranslation();
  if (!of.aktiv) return <Badge>{t('regeln.paused')}</Badge>;
  return of.schattenbetrieb ? (
    <Badge tone="warn">{t('regeln.shadow')}</Badge>
  ) : (
    <Badge tone="accent">{t('regeln.armed')}</Badge>
  );
}
