import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { statusQuery, verlaufQuery } from '../../api/queries.ts';
import type { Komponente, Status, Verlauf } from '../../api/types.ts';
import { useFormat } from '../../format/use-format.ts';
import { Badge } from '../../ui/badge.tsx';
import { linkClass } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { Gate } from '../zugang/index.ts';
import { barClass, DayBars } from './day-bars.tsx';
import { Disturbances } from './disturbances.tsx';

const tones = {
  ok: 'good',
  eingeschränkt: 'warn',
  gestört: 'harm',
  unbekannt: 'neutral',
  nicht_eingerichtet: 'neutral',
} as const;
const wholeTones = { betriebsbereit: 'good', eingeschränkt: 'warn', gestört: 'harm' } as const;

/** How the service is as a whole; of a service that does not answer it says so, and what was known last. */
function Whole({ status, isAway }: { status: Status | undefined; isAway: boolean }) {
  const { t } = useTranslation();
  const format = useFormat();
  if (isAway)
    return (
      <Notice tone="harm">
        <p className="font-semibold">{t('zustand.whole.noAnswer')}</p>
        <p>
          {t('zustand.noAnswerText')}{' '}
          {status && t('zustand.lastKnown', { time: format.instant(status.zeit, 'dateTimeSeconds') })}
        </p>
      </Notice>
    );
  if (!status) return <Skeleton lines={1} height="h-14" />;
  const partsIn = (...states: Komponente['status'][]) =>
    status.komponenten.filter((part) => states.includes(part.status));
  const concerned = partsIn('gestört', 'eingeschränkt').map(({ name }) => t(`zustand.part.${name}`));
  const isWell = status.status === 'betriebsbereit';
  return (
    <Notice tone={wholeTones[status.status]}>
      <p className="font-semibold">{t(`zustand.whole.${status.status}`)}</p>
      {!isWell && <p>{t('zustand.concerned', { parts: concerned.join(', ') })}</p>}
      {isWell && partsIn('unbekannt').length > 0 && <p>{t('zustand.unknownParts')}</p>}
    </Notice>
  );
}

function Part({
  part,
  days,
}: {
  part: Komponente;
  days: Verlauf['komponenten'][number]['tage'] | undefined;
}) {
  const { t } = useTranslation();
  const format = useFormat();
  const { name, status, seit, zuletzt, bedeutung } = part;
  const done =
    zuletzt !== null && (name === 'budgetpruefung' || name === 'kurse' || name === 'preise')
      ? t(`zustand.done.${name}`, { time: format.instant(zuletzt, 'dateTime') })
      : null;
  const since = t('zustand.since', { time: format.instant(seit, 'dateTime') });
  return (
    <li className="border-t py-3 first:border-t-0 first:pt-1">
      <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1">
        <h3 className="text-sm">{t(`zustand.part.${name}`)}</h3>
        <Badge tone={tones[status]}>{t(`zustand.state.${status}`)}</Badge>
      </div>
      <p className="text-xs text-ink-2">{[since, done].filter(Boolean).join(' · ')}</p>
      {bedeutung && <p className="mt-1 text-sm">{bedeutung}</p>}
      {days && <DayBars name={t(`zustand.part.${name}`)} days={days} />}
    </li>
  );
}

function Legend({ zone }: { zone: string }) {
  const { t } = useTranslation();
  const format = useFormat();
  return (
    <div className="mt-2 flex flex-col gap-2 border-t pt-3 text-xs text-ink-2">
      <ul className="flex flex-wrap gap-x-4 gap-y-1">
        {(['ok', 'limited', 'broken', 'unknown'] as const).map((state) => (
          <li key={state} className="flex items-center gap-1.5">
            <span aria-hidden="true" className="flex h-3.5 w-1.5 items-end">
              <span className={`w-full rounded-xs ${barClass[state]}`} />
            </span>
            {t(`zustand.legend.${state}`)}
          </li>
        ))}
      </ul>
      <p>{t('zustand.zone', { zone, own: format.zone })}</p>
    </div>
  );
}

function Parts({ status, verlauf }: { status: Status; verlauf: Verlauf | undefined }) {
  const { t } = useTranslation();
  const daysOf = (name: Komponente['name']) => verlauf?.komponenten.find((each) => each.name === name)?.tage;
  return (
    <Panel title={t('zustand.parts')}>
      <ul>
        {status.komponenten.map((part) => (
          <Part key={part.name} part={part} days={daysOf(part.name)} />
        ))}
      </ul>
      {verlauf && <Legend zone={verlauf.zeitzone} />}
    </Panel>
  );
}

/** How the service is, for everybody: without a login, and while it does not answer. */
export function StatusPage(): ReactNode {
  const { t, i18n } = useTranslation();
  const status = useQuery(statusQuery(i18n.language));
  const verlauf = useQuery(verlaufQuery);
  const format = useFormat();
  return (
    <Gate title={t('shell.status')} wide>
      <div aria-live="polite">
        <Whole status={status.data} isAway={status.error !== null} />
      </div>
      {status.data && <Parts status={status.data} verlauf={verlauf.data} />}
      {verlauf.data && <Disturbances disturbances={verlauf.data.stoerungen} />}
      <p className="flex flex-wrap justify-between gap-x-4 gap-y-1 text-xs text-ink-2">
        <span>
          {status.data &&
            `${t('zustand.asOf', { time: format.instant(status.data.zeit, 'dateTimeSeconds') })} · `}
          {t('zustand.refreshes')}
        </span>
        <Link to="/" className={linkClass}>
          {t('zustand.toCockpit')}
        </Link>
      </p>
    </Gate>
  );
}
