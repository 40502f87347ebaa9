import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../../api/error.ts';
import type { Rueckblick } from '../../api/types.ts';
import { useFormat } from '../../format/use-format.ts';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { Facts } from '../../ui/facts.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Progress } from '../../ui/progress.tsx';
import { type Asked, BACKTEST_DAYS, useBacktest } from './use-backtest.ts';

type Ergebnis = NonNullable<Rueckblick['ergebnis']>;

const SHOWN_RUNS = 5;

/** What the rule would have done in the last days. */
export function BacktestResult({ asked }: { asked: Asked }) {
  const { t } = useTranslation();
  const { data, error, part } = useBacktest(asked);
  if (error instanceof ApiError && error.status === 422)
    return <p className="text-sm text-ink-2">{t('regeln.backtestIncomplete')}</p>;
  if (error) return <ErrorNotice error={error} />;
  if (data?.status === 'fehlgeschlagen') return <Notice tone="harm">{t('regeln.backtestFailed')}</Notice>;
  if (!data?.ergebnis)
    return (
      <div role="status" className="flex flex-col gap-2 text-sm text-ink-2">
        <p>{t('regeln.backtestRunning', { days: BACKTEST_DAYS })}</p>
        <Progress label={t('regeln.backtest')} part={part === 0 ? null : part} />
      </div>
    );
  return <Found ergebnis={data.ergebnis} />;
}

function Found({ ergebnis }: { ergebnis: Ergebnis }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { befunde, stoppt, laeufe_gestoppt, laeufe_gut, gespart_eur, potential_eur, verbrannt_eur } =
    ergebnis;
  const stopped = [
    { label: t('regeln.backtestStopped'), value: format.count(laeufe_gestoppt) },
    { label: t('regeln.backtestGood'), value: format.count(laeufe_gut) },
    { label: t('regeln.backtestSaved'), value: format.money(gespart_eur) },
  ];
  return (
    <div className="flex flex-col gap-3">
      <p className="text-sm">{t('regeln.backtestFired', { count: befunde, days: BACKTEST_DAYS })}</p>
      {befunde > 0 && <Days tage={ergebnis.tage} />}
      {befunde > 0 && (
        <Facts
          facts={[
            ...(stoppt ? stopped : []),
            ...(verbrannt_eur === null
              ? []
              : [{ label: t('regeln.backtestBurnt'), value: format.money(verbrannt_eur) }]),
            ...(potential_eur === null
              ? []
              : [{ label: t('regeln.backtestPotential'), value: format.money(potential_eur) }]),
          ]}
        />
      )}
      {!stoppt && <p className="text-xs text-ink-3">{t('regeln.backtestStopsNothing')}</p>}
      {ergebnis.laeufe.length > 0 && <Runs laeufe={ergebnis.laeufe.slice(0, SHOWN_RUNS)} />}
    </div>
  );
}

/** A bar for each day; what they say stands in the title of each. */
function Days({ tage }: Pick<Ergebnis, 'tage'>) {
  const { t } = useTranslation();
  const format = useFormat();
  const most = Math.max(...tage.map(({ befunde }) => befunde), 1);
  return (
    <ol aria-label={t('regeln.backtestDays')} className="flex h-12 items-end gap-px">
      {tage.map(({ tag, befunde }) => {
        const text = `${format.day(tag)}: ${t('regeln.backtestOfDay', { count: befunde })}`;
        return (
          <li key={tag} title={text} className="flex h-full grow items-end">
            <span className="sr-only">{text}</span>
            <span
              aria-hidden="true"
              className={`block w-full rounded-sm ${befunde > 0 ? 'bg-accent' : 'bg-line'}`}
              style={{ height: befunde > 0 ? `max(3px, ${(befunde / most) * 100}%)` : '1px' }}
            />
          </li>
        );
      })}
    </ol>
  );
}

function Runs({ laeufe }: Pick<Ergebnis, 'laeufe'>) {
  const { t } = useTranslation();
  const format = useFormat();
  return (
    <div className="flex flex-col gap-1 text-sm">
      <p className="text-ink-3">{t('regeln.backtestRuns')}</p>
      <ul className="flex flex-col">
        {laeufe.map((lauf) => (
          <li key={lauf.lauf_id} className="flex items-baseline justify-between gap-3">
            <span className="min-w-0">
              <Link
                to="/laeufe/$lauf_id"
                params={{ lauf_id: lauf.lauf_id }}
                title={lauf.agent}
                className="block truncate leading-6 text-accent underline underline-offset-2"
              >
                {lauf.agent}
              </Link>
              <span className="block text-xs text-ink-3">
                {format.instant(lauf.gestoppt_am, 'dayTimeShort')}
              </span>
            </span>
            <span className="shrink-0">{format.money(lauf.kosten_danach_eur)}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}
