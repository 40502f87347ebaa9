import { useTranslation } from 'react-i18next';
import type { Stufe } from '../../api/types.ts';
import { Badge } from '../../ui/badge.tsx';

const tones = {
  beobachten: 'neutral',
  warnen: 'warn',
  drosseln: 'warn',
  anhalten: 'harm',
  sperren: 'harm',
} as const;

/** How far a finding or an intervention goes; in shadow mode nothing was done, and it looks and says so. */
export function LevelBadge({ stufe, schatten = false }: { stufe: Stufe; schatten?: boolean }) {
  const { t } = useTranslation();
  return (
    <Badge tone={schatten ? 'neutral' : tones[stufe]}>
      {t(schatten ? `eingriffe.shadow.${stufe}` : `eingriffe.level.${stufe}`)}
    </Badge>
  );
}
