import { useTranslation } from 'react-i18next';
import type { Budget } from '../../api/types.ts';
import { useFormat } from '../../format/use-format.ts';
import { Badge } from '../../ui/badge.tsx';
import { ObjectLink } from '../eingriffe/index.ts';
import { type Bar, barOf } from './bar.ts';
import { BudgetButton } from './budget-dialog.tsx';

const fills = { over: 'bg-harm', willExceed: 'bg-warn', inTime: 'bg-accent' };
const tones = { over: 'harm', willExceed: 'warn', inTime: 'good' } as const;
const percent = (part: number) => `${part * 100}%`;

/** Spent in full, expected in light; lines at the thresholds. The figures beside it say the same. */
function BudgetBar({ bar }: { bar: Bar }) {
  return (
    <div aria-hidden="true" className="relative my-1 h-3">
      <div className="absolute inset-0 overflow-hidden rounded-sm bg-sunken">
        <div
          className={`absolute inset-y-0 left-0 opacity-30 ${fills[bar.state]}`}
          style={{ width: percent(bar.forecast) }}
        />
        <div
          className={`absolute inset-y-0 left-0 ${fills[bar.state]}`}
          style={{ width: percent(bar.spent) }}
        />
      </div>
      {bar.thresholds.map(({ prozent, at, reached }) => (
        <span
          key={prozent}
          className={`absolute -inset-y-0.5 w-0.5 -translate-x-full ${reached ? 'bg-ink' : 'bg-edge'}`}
          style={{ left: percent(at) }}
        />
      ))}
    </div>
  );
}

/** When each threshold was reached, and which were not yet. */
function Thresholds({ of: { schwellen } }: { of: Budget }) {
  const { t } = useTranslation();
  const format = useFormat();
  const open = schwellen.filter(({ erreicht_am }) => erreicht_am === null);
  return (
    <>
      {schwellen.map(
        ({ prozent, erreicht_am }) =>
          erreicht_am !== null && (
            <span key={prozent} className="font-medium text-ink-2">
              {t('budgets.reached', { percent: prozent, day: format.day(erreicht_am) })}
            </span>
          ),
      )}
      {open.length > 0 && (
        <span>{t('budgets.open', { percents: open.map(({ prozent }) => prozent).join(', ') })}</span>
      )}
    </>
  );
}

/** A budget: how much of it is spent, what is expected, and when its thresholds were reached. */
export function BudgetRow({ of }: { of: Budget }) {
  const { t } = useTranslation();
  const format = useFormat();
  const bar = barOf(of);
  const object = { objekt_art: of.objekt_art, objekt: of.schluessel, agent: null };
  const [spent, budget] = [format.money(of.verbraucht_eur), format.money(of.budget_eur)];
  return (
    <li className="border-b px-4 py-3 last:border-b-0">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <p className="flex min-w-0 grow flex-wrap items-center gap-x-2 gap-y-1 text-sm">
          <span className="font-medium">
            <ObjectLink of={object} />
          </span>
          <Badge tone={tones[bar.state]}>{t(`budgets.${bar.state}`)}</Badge>
          {of.bei_erreichen !== 'warnen' && (
            <span className="text-xs text-ink-3">{t(`budgets.acts.${of.bei_erreichen}`)}</span>
          )}
        </p>
        <p className="text-sm" title={format.moneyExact(of.verbraucht_eur)}>
          <span className="font-medium">{t('budgets.spentOf', { spent, budget })}</span>
          {of.anteil_prozent !== null && (
            <span className="ml-2 text-xs text-ink-3">
              {t('budgets.share', { share: format.decimal(of.anteil_prozent) })}
            </span>
          )}
        </p>
        <BudgetButton of={of} label={t('budgets.change')} />
      </div>
      <BudgetBar bar={bar} />
      <p className="flex flex-wrap gap-x-4 gap-y-0.5 text-xs text-ink-3">
        <span title={t('budgets.forecastHint')}>
          {t('budgets.forecast', { amount: format.money(of.prognose_eur) })}
        </span>
        <Thresholds of={of} />
      </p>
    </li>
  );
}
