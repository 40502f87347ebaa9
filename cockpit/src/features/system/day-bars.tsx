import { useTranslation } from 'react-i18next';
import type { Zustandstag } from '../../api/types.ts';
import { type Format, useFormat } from '../../format/use-format.ts';
import { type DayState, stateOf, summaryOf, tenThousandths } from './days.ts';

/** The worse the higher, for who sees no difference in the colours. */
export const barClass: Record<DayState, string> = {
  ok: 'h-3/5 bg-good',
  limited: 'h-4/5 bg-warn',
  broken: 'h-full bg-harm',
  unknown: 'h-1/6 bg-edge',
};

/** `99,98 %`. */
const percent = (part: number, whole: number, language: Format['language']): string =>
  new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: 2 }).format(
    tenThousandths(part, whole) / 10_000,
  );

function useDayText() {
  const { t } = useTranslation();
  const format = useFormat();
  const duration = (seconds: number) => format.duration(seconds * 1_000);
  return (day: Zustandstag): string => {
    const state = stateOf(day);
    const { eingeschraenkt_sekunden: limited, gestoert_sekunden: broken, unbekannt_sekunden: unknown } = day;
    const said = [
      ...(broken > 0 ? [t('zustand.day.broken', { duration: duration(broken) })] : []),
      ...(limited > 0 ? [t('zustand.day.limited', { duration: duration(limited) })] : []),
      ...(state === 'ok' || state === 'unknown' ? [t(`zustand.day.${state}`)] : []),
      ...(state !== 'unknown' && unknown >= 60
        ? [t('zustand.day.partly', { duration: duration(unknown) })]
        : []),
    ];
    return `${format.day(day.tag)}: ${said.join(', ')}`;
  };
}

/** All days in a sentence or two, for who does not see the bars. */
function useSummaryText(name: string) {
  const { t } = useTranslation();
  const format = useFormat();
  return (days: readonly Zustandstag[]): string => {
    const { known, ok, disturbed, lastDisturbed, unknown } = summaryOf(days);
    if (known === 0) return t('zustand.barsNothing', { name });
    return [
      t('zustand.barsKnown', { name, share: percent(ok, known, format.language) }),
      ...(lastDisturbed === null
        ? []
        : [t('zustand.barsDisturbed', { count: disturbed, day: format.day(lastDisturbed) })]),
      ...(unknown > 0 ? [t('zustand.barsUnknown', { count: unknown })] : []),
    ].join(' ');
  };
}

/** A bar for each day, the oldest at the left. */
export function DayBars({ name, days }: { name: string; days: readonly Zustandstag[] }) {
  const { t } = useTranslation();
  const format = useFormat();
  const dayText = useDayText();
  const summary = useSummaryText(name)(days);
  const { known, ok } = summaryOf(days);
  return (
    <figure className="mt-2">
      <div role="img" aria-label={summary} className="flex h-7 items-end gap-px sm:gap-0.5">
        {days.map((day) => (
          <div key={day.tag} title={dayText(day)} className="flex h-full min-w-0 flex-1 items-end">
            <div className={`w-full rounded-xs ${barClass[stateOf(day)]}`} />
          </div>
        ))}
      </div>
      <figcaption aria-hidden="true" className="mt-1 flex justify-between gap-2 text-2xs text-ink-3">
        <span>{t('zustand.first')}</span>
        {known > 0 && <span>{t('zustand.well', { share: percent(ok, known, format.language) })}</span>}
        <span>{t('zustand.today')}</span>
      </figcaption>
    </figure>
  );
}
