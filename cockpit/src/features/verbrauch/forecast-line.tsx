import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { kostenprognoseQuery } from '../../api/queries.ts';
import type { Kostenprognose } from '../../api/types.ts';
import { useFormat } from '../../format/use-format.ts';
import { linkClass } from '../../ui/button.tsx';

/** How many budgets the pace is too much for, with the way to them. */
function Budgets({ of: { budgets, ueberschritten, reichen_nicht } }: { of: Kostenprognose }) {
  const { t } = useTranslation();
  if (budgets === 0) return null;
  const isFine = ueberschritten + reichen_nicht === 0;
  const text = isFine
    ? t('verbrauch.forecast.budgetsLast', { count: budgets })
    : t('verbrauch.forecast.budgetsFail', { count: budgets, over: ueberschritten, failing: reichen_nicht });
  return (
    <Link to="/budgets" className={`${linkClass} ${isFine ? '' : 'text-warn'}`}>
      {text}
    </Link>
  );
}

/** What this month will cost at the pace of the last 24 hours, whatever period is shown. */
export function ForecastLine() {
  const { t } = useTranslation();
  const format = useFormat();
  const { data } = useQuery(kostenprognoseQuery);
  if (!data || data.bisher_eur === null) return null;
  const { bisher_eur, prognose_eur } = data;
  return (
    <p className="flex flex-wrap items-baseline gap-x-4 gap-y-1 text-sm">
      <span className="font-medium" title={t('verbrauch.forecast.hint')}>
        {prognose_eur === null
          ? t('verbrauch.forecast.unknown')
          : t('verbrauch.forecast.expected', { amount: format.money(prognose_eur) })}
      </span>
      <span className="text-ink-3">
        {t('verbrauch.forecast.soFar', { amount: format.money(bisher_eur) })}
      </span>
      <Budgets of={data} />
    </p>
  );
}
