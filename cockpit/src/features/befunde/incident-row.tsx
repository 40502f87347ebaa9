import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import type { Vorfall } from '../../api/types.ts';
import { useFormat } from '../../format/use-format.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Money } from '../../ui/money.tsx';
import { LevelBadge, ObjectLink, useMayProtect } from '../eingriffe/index.ts';
import { useFindingTexts } from './finding-texts.ts';

/** How it was closed: when, by whom, with what. */
function Closed({ of }: { of: Vorfall }) {
  const { t } = useTranslation();
  const format = useFormat();
  if (of.geschlossen_am === null) return null;
  const measure = of.massnahme ?? '–';
  const time = format.instant(of.geschlossen_am, 'dateTime');
  const who = of.geschlossen_von;
  return (
    <p className="mt-1 text-sm text-ink-2 [overflow-wrap:anywhere]">
      {who
        ? t('befunde.incidents.closedBy', { time, who, measure })
        : t('befunde.incidents.closedAt', { time, measure })}
    </p>
  );
}

/** An incident in a list; its headline leads to its findings. */
export function IncidentRow({ of, onClose }: { of: Vorfall; onClose: () => void }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { titleOf } = useFindingTexts();
  const may = useMayProtect();
  const at = (instant: string) => format.instant(instant, 'dateTime');
  return (
    <li className="flex flex-wrap items-start gap-x-3 gap-y-2 border-b px-4 py-3 last:border-b-0 hover:bg-sunken">
      <div className="min-w-60 flex-1">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1 text-sm">
          <Link
            to="/befunde"
            search={{ vorfall_id: of.vorfall_id }}
            className="font-medium [overflow-wrap:anywhere] hover:underline"
          >
            {titleOf(of)}
          </Link>
          <LevelBadge stufe={of.stufe} schatten={of.schatten} />
          {of.dauert_an && (
            <Badge tone="warn" title={t('befunde.incidents.goesOnHint')}>
              {t('befunde.incidents.goesOn')}
            </Badge>
          )}
        </p>
        <p className="mt-1 flex flex-wrap gap-x-4 gap-y-0.5 text-xs text-ink-3">
          <ObjectLink of={{ ...of, agent: null }} className="underline" />
          <span>{t('befunde.incidents.count', { count: of.befunde })}</span>
          {of.eingriffe_in_kraft > 0 && (
            <span>{t('befunde.incidents.inForce', { count: of.eingriffe_in_kraft })}</span>
          )}
          <span>
            {t('befunde.incidents.since', { begin: at(of.beginn), last: at(of.letzter_befund_am) })}
          </span>
          {Number(of.verbrannt_eur ?? 0) > 0 && (
            <span>
              {t('verbrauch.burnt')} <Money className="font-medium text-harm" value={of.verbrannt_eur} />
            </span>
          )}
        </p>
        <Closed of={of} />
      </div>
      {may && of.status === 'offen' && <Button onClick={onClose}>{t('befunde.incidents.close')}</Button>}
    </li>
  );
}
