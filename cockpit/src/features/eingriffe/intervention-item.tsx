import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { regelnQuery } from '../../api/queries.ts';
import type { Eingriff } from '../../api/types.ts';
import { useFormat } from '../../format/use-format.ts';
import { Badge } from '../../ui/badge.tsx';
import { LevelBadge } from './level-badge.tsx';
import { LiftButton } from './lift-button.tsx';
import { ObjectLink } from './object-link.tsx';
import { useRuleName } from './rule-name.ts';

/** The reason, in the language of the reader. */
export function useReason(): (of: Pick<Eingriff, 'grund' | 'grund_en'>) => string {
  const { i18n } = useTranslation();
  return ({ grund, grund_en }) => (i18n.language === 'en' ? grund_en : grund);
}

/** Who is behind it: a rule by its name, a person, or the service. */
function Author({ of }: { of: Eingriff }) {
  const { t } = useTranslation();
  const nameOf = useRuleName();
  const { data } = useQuery({ ...regelnQuery, enabled: of.regel_id !== null });
  if (of.regel_id === null)
    return of.veranlasst_von === null
      ? t('eingriffe.byService')
      : t('eingriffe.byHand', { who: of.veranlasst_von });
  const rule = data?.regeln.find(({ regel_id }) => regel_id === of.regel_id);
  if (!rule) return data ? t('eingriffe.byGoneRule') : null;
  return (
    <Link to="/regeln/$regel_id" params={{ regel_id: rule.regel_id }} className="underline">
      {t('eingriffe.byRule', { name: nameOf(rule) })}
    </Link>
  );
}

/** From when until when; of one that was lifted, by whom. */
function Times({ of }: { of: Eingriff }) {
  const { t } = useTranslation();
  const format = useFormat();
  const at = (instant: string) => format.instant(instant, 'dateTime');
  const end = of.bis === null ? t('eingriffe.untilLifted') : t('eingriffe.until', { time: at(of.bis) });
  const who = of.aufgehoben_von;
  return (
    <>
      <span>{t('eingriffe.from', { time: at(of.beginn) })}</span>
      {of.abgerufen_am !== null && <span>{t('eingriffe.fetched', { time: at(of.abgerufen_am) })}</span>}
      {of.wirkung !== null && of.letzter_aufruf_am !== null && (
        <span>{t('eingriffe.lastCall', { time: at(of.letzter_aufruf_am) })}</span>
      )}
      {of.aufgehoben_am === null ? (
        <span>{end}</span>
      ) : (
        <span>
          {who
            ? t('eingriffe.liftedBy', { time: at(of.aufgehoben_am), who })
            : t('eingriffe.liftedAt', { time: at(of.aufgehoben_am) })}
        </span>
      )}
      {of.aufgehoben_grund !== null && <span>{t(`eingriffe.liftedBecause.${of.aufgehoben_grund}`)}</span>}
      {of.gnade_bis !== null && <span>{t('eingriffe.graceUntil', { time: at(of.gnade_bis) })}</span>}
    </>
  );
}

/** What became of an order: nothing is claimed without a proof. */
function Effect({ of }: { of: Eingriff }) {
  const { t } = useTranslation();
  switch (of.wirkung) {
    case 'befolgt':
      return <Badge tone="good">{t('eingriffe.obeyed')}</Badge>;
    case 'missachtet':
      return <Badge tone="harm">{t('eingriffe.disobeyed', { count: of.missachtet })}</Badge>;
    case 'zu_spaet':
      return <Badge title={t('eingriffe.tooLateHint')}>{t('eingriffe.tooLate')}</Badge>;
    case 'unbekannt':
      return <Badge title={t('eingriffe.unknownHint')}>{t('eingriffe.unknown')}</Badge>;
    default:
      return null;
  }
}

function States({ of }: { of: Eingriff }) {
  const { t } = useTranslation();
  return (
    <>
      <LevelBadge stufe={of.stufe} schatten={of.schatten} />
      {of.in_kraft && <Badge tone="accent">{t('eingriffe.current')}</Badge>}
      {!of.in_kraft && !of.schatten && (
        <Badge>{t(of.aufgehoben_am === null ? 'eingriffe.over' : 'eingriffe.lifted')}</Badge>
      )}
      <Effect of={of} />
    </>
  );
}

/** One intervention: how far, whom, why, by whom, how long, whether it was obeyed; one in force can be lifted. */
export function InterventionItem({ of, ofFinding = false }: { of: Eingriff; ofFinding?: boolean }) {
  const { t } = useTranslation();
  const reason = useReason();
  return (
    <li
      className={`flex flex-wrap items-start gap-x-3 gap-y-2 border-b border-l-2 px-4 py-3 last:border-b-0 ${of.in_kraft ? 'border-l-accent' : 'border-l-transparent'}`}
    >
      <div className="min-w-60 flex-1">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1 text-sm">
          <span className="font-medium">
            <ObjectLink of={of} />
          </span>
          <States of={of} />
        </p>
        {!ofFinding && <p className="mt-1 text-sm text-ink-2 [overflow-wrap:anywhere]">{reason(of)}</p>}
        <p className="mt-1 flex flex-wrap gap-x-3 gap-y-0.5 text-xs text-ink-3">
          <span>
            <Author of={of} />
          </span>
          <Times of={of} />
          {of.befund_id !== null && !ofFinding && (
            <Link to="/befunde/$befund_id" params={{ befund_id: of.befund_id }} className="underline">
              {t('eingriffe.toFinding')}
            </Link>
          )}
        </p>
      </div>
      {of.in_kraft && <LiftButton eingriff={of} />}
    </li>
  );
}
