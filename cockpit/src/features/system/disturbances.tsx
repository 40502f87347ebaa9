import { useTranslation } from 'react-i18next';
import type { Verlauf } from '../../api/types.ts';
import { useFormat } from '../../format/use-format.ts';
import { Badge } from '../../ui/badge.tsx';
import { Panel } from '../../ui/panel.tsx';

type Disturbance = Verlauf['stoerungen'][number];

function Line({ disturbance }: { disturbance: Disturbance }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { name, status, von, bis, dauer_sekunden: whole, gestoert_sekunden: down } = disturbance;
  const duration = format.duration(whole * 1_000);
  const broken = format.duration(down * 1_000);
  const told = {
    from: format.instant(von, 'dateTime'),
    duration: down > 0 && down < whole ? t('zustand.brokenOf', { duration, broken }) : duration,
  };
  const span =
    bis === null
      ? t('zustand.lasts', told)
      : t('zustand.lasted', { ...told, to: format.instant(bis, 'dateTime') });
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 border-t py-2 text-sm first:border-t-0">
      <span className="font-medium">{t(`zustand.part.${name}`)}</span>
      <Badge tone={status === 'gestört' ? 'harm' : 'warn'}>{t(`zustand.state.${status}`)}</Badge>
      <span className="text-ink-2">{span}</span>
    </li>
  );
}

/** What did not work as it should, in words; the latest first. */
export function Disturbances({ disturbances }: { disturbances: readonly Disturbance[] }) {
  const { t } = useTranslation();
  return (
    <Panel title={t('zustand.disturbances')}>
      {disturbances.length === 0 ? (
        <p className="text-sm text-ink-2">{t('zustand.noDisturbance')}</p>
      ) : (
        <ul>
          {disturbances.map((each) => (
            <Line key={`${each.name} ${each.von}`} disturbance={each} />
          ))}
        </ul>
      )}
    </Panel>
  );
}
