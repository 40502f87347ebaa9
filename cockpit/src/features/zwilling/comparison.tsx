import { useTranslation } from 'react-i18next';
import type { Zwilling } from '../../api/types.ts';
import { useFormat } from '../../format/use-format.ts';
import { Figure, FigureRow } from '../../ui/figure.tsx';
import { useMoneyTitle } from '../../ui/money.tsx';

interface BarProps {
  /** Length of the bar, 0 to 1. */
  share: number;
  /** The other twin: what was really spent stands out less than what it could have been. */
  own: boolean;
}

/** The picture of a figure. */
function Bar({ share, own }: BarProps) {
  return (
    <span aria-hidden="true" className="mt-1 block h-2 rounded-sm bg-sunken">
      <span
        className={`block h-full rounded-sm ${own ? 'bg-accent' : 'bg-ink-3'}`}
        style={{ width: `max(2px, ${share * 100}%)` }}
      />
    </span>
  );
}

/** What was spent beside what the twin would have cost, and the difference. */
export function Comparison({ twin: { real_eur, zwilling_eur, gespart_eur } }: { twin: Zwilling }) {
  const { t } = useTranslation();
  const format = useFormat();
  const titleOf = useMoneyTitle();
  const amounts = format.moneyColumn([real_eur, zwilling_eur, gespart_eur]);
  // The length of a bar is a picture, the figure above it is exact.
  const largest = Math.max(Number(real_eur ?? 0), Number.MIN_VALUE);
  const figure = (value: string | null) => ({ value: amounts.text(value), title: titleOf(value, amounts) });
  return (
    <FigureRow>
      <Figure label={t('zwilling.real')} {...figure(real_eur)} note={<Bar share={1} own={false} />} />
      <Figure
        label={t('zwilling.twin')}
        {...figure(zwilling_eur)}
        note={<Bar share={Number(zwilling_eur ?? 0) / largest} own />}
      />
      <Figure
        label={t('zwilling.saved')}
        {...figure(gespart_eur)}
        note={t('zwilling.shareOfCost', {
          share: format.share(Number(gespart_eur ?? 0), Number(real_eur ?? 0)),
        })}
      />
    </FigureRow>
  );
}
