import { useTranslation } from 'react-i18next';
import type { Befund } from '../../api/types.ts';
import { Badge } from '../../ui/badge.tsx';
import { LevelBadge } from '../eingriffe/index.ts';

/** How far it goes, whether it was noted only, and what became of it. */
export function FindingBadges({ of }: { of: Pick<Befund, 'stufe' | 'schatten' | 'status'> }) {
  const { t } = useTranslation();
  return (
    <>
      <LevelBadge stufe={of.stufe} schatten={of.schatten} />
      {of.status !== 'offen' && (
        <Badge
          tone={of.status === 'erledigt' ? 'good' : 'neutral'}
          title={of.status === 'hinfaellig' ? t('befunde.withdrawnHint') : undefined}
        >
          {t(`befunde.status.${of.status}`)}
        </Badge>
      )}
    </>
  );
}
