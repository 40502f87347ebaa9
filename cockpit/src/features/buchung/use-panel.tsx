import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Lizenz } from '../../api/types.ts';
import { useFormat } from '../../format/use-format.ts';
import { Facts } from '../../ui/facts.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Progress } from '../../ui/progress.tsx';

type Seen = { data: Lizenz };

/** What is used of what the package is for; without a limit only what is used. */
function Use({ label, used, limit }: { label: string; used: number; limit: number | null }) {
  const { t } = useTranslation();
  const format = useFormat();
  if (limit === null) return <>{t('buchung.use.unlimited', { used: format.count(used) })}</>;
  return (
    <span className="flex max-w-xs flex-col gap-1">
      <span>{t('buchung.use.of', { used: format.count(used), limit: format.count(limit) })}</span>
      <Progress label={label} part={Math.min(1, limit === 0 ? 1 : used / limit)} beyond={used > limit} />
    </span>
  );
}

const isOver = (used: number, limit: number | null) => limit !== null && used > limit;

/** What happens beyond a limit, where one is passed or none binds. */
function LimitNotice({ data: { grenzen, nutzung, verbindlich } }: Seen): ReactNode {
  const { t } = useTranslation();
  const over =
    isOver(nutzung.ereignisse, grenzen.ereignisse_monat) || isOver(nutzung.benutzer, grenzen.benutzer);
  if (!verbindlich) return <Notice>{t('buchung.use.loose')}</Notice>;
  return over ? <Notice tone="warn">{t('buchung.use.over')}</Notice> : null;
}

/** How long single calls are kept by the package, and, where some are gone, from when on they are there. */
function Retention({ days, from }: { days: number | null; from: string | null }) {
  const { t } = useTranslation();
  const format = useFormat();
  const promised =
    days === null ? t('buchung.noEnd') : t('buchung.use.days', { count: days, shown: format.count(days) });
  const kept = from && t('buchung.use.keptFrom', { day: format.instant(from, 'day') });
  return <>{kept ? `${promised}, ${kept}` : promised}</>;
}

/** What the package is for, and how much of it is used in the month. */
export function UsePanel({ data }: Seen): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const { grenzen, nutzung, funktionen } = data;
  const events = t('buchung.use.events');
  const users = t('buchung.use.users');
  const facts = [
    {
      label: events,
      value: <Use label={events} used={nutzung.ereignisse} limit={grenzen.ereignisse_monat} />,
    },
    { label: users, value: <Use label={users} used={nutzung.benutzer} limit={grenzen.benutzer} /> },
    {
      label: t('buchung.use.retention'),
      value: <Retention days={grenzen.aufbewahrung_tage} from={nutzung.ereignisse_ab} />,
    },
    {
      label: t('buchung.use.functions'),
      value:
        funktionen.length === 0
          ? t('buchung.use.none')
          : funktionen.map((funktion) => t(`buchung.use.function.${funktion}`)).join(', '),
    },
  ];
  return (
    <Panel title={t('buchung.use.title', { month: format.day(`${nutzung.monat}-01`, 'monthLong') })}>
      <div className="flex flex-col gap-4">
        <LimitNotice data={data} />
        <Facts facts={facts} />
      </div>
    </Panel>
  );
}
