import { useTranslation } from 'react-i18next';
import type { Summe } from '../../api/types.ts';
import { useFormat } from '../../format/use-format.ts';
import { setPreferences, usePreferences } from '../../preferences.ts';
import { Term } from '../../ui/term.tsx';
import { PriceLink } from '../preise/index.ts';
import { RateSources, type RateSourcesProps } from './rate-sources.tsx';

interface CoverageProps extends RateSourcesProps {
  summe: Summe;
  gezaehltBis: string;
  /** The model that the figures are of, where they are of one. */
  modell?: string | undefined;
}

/** What the sum rests on: measured, estimated, priced in part, without a price; up to when everything is counted; the rates. */
export function Coverage({ summe, gezaehltBis, quellen, kurs, modell }: CoverageProps) {
  const { t } = useTranslation();
  const format = useFormat();
  return (
    <div className="-mt-1.5 flex flex-wrap justify-between gap-x-4 gap-y-1 px-1 text-xs text-ink-3">
      <p className="flex flex-wrap items-center gap-x-4">
        {summe.geschaetzt + summe.teilbepreist > 0 ? (
          <span>
            {t('verbrauch.measured', { amount: format.money(summe.gemessen_eur) })},{' '}
            {t(summe.geschaetzt > 0 ? 'verbrauch.estimated' : 'verbrauch.uncertain', {
              amount: format.money(summe.geschaetzt_eur),
              count: summe.geschaetzt,
            })}
            {summe.geschaetzt > 0 && <Term of="geschaetzt" />}
          </span>
        ) : (
          <span>{t('verbrauch.allMeasured')}</span>
        )}
        {summe.teilbepreist > 0 && (
          <span className="font-medium text-warn">
            {t('verbrauch.partlyPriced', { count: summe.teilbepreist })}
            <Term of="teilbepreist" />
          </span>
        )}
        {summe.unbepreist > 0 && (
          <span className="font-medium text-warn">
            {t('verbrauch.unpriced', { count: summe.unbepreist })}
            <Term of="unbepreist" />
          </span>
        )}
        {summe.teilbepreist + summe.unbepreist > 0 && <PriceLink modell={modell} />}
      </p>
      <p className="flex flex-wrap items-center gap-x-4">
        <RateSources quellen={quellen} kurs={kurs} />
        <span>{t('verbrauch.countedUntil', { time: format.instant(gezaehltBis, 'timeSeconds') })}</span>
        <LiveSwitch />
      </p>
    </div>
  );
}

/** Stops figures from changing under the reader's eyes, and lets them go on. */
function LiveSwitch() {
  const { t } = useTranslation();
  const { live } = usePreferences();
  return (
    <button
      type="button"
      aria-pressed={live}
      title={t(live ? 'ansicht.pauseHint' : 'ansicht.resumeHint')}
      onClick={() => setPreferences({ live: !live })}
      className={`min-h-6 rounded-sm px-1 underline hover:text-ink ${live ? '' : 'font-medium text-warn'}`}
    >
      {t(live ? 'ansicht.live' : 'ansicht.paused')}
    </button>
  );
}
