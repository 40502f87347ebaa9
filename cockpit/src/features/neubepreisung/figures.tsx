import { useTranslation } from 'react-i18next';
import type { Neubepreisung } from '../../api/types.ts';
import { useFormat } from '../../format/use-format.ts';
import { Figure, FigureRow } from '../../ui/figure.tsx';
import { useMoneyTitle } from '../../ui/money.tsx';
import { directionOf } from './state.ts';

const tones = { dearer: 'harm', cheaper: 'good', equal: 'neutral' } as const;

/** Of how many calls it becomes known what they cost, or unknown. */
export function useUnpricedText(): (unbepreist: number) => string {
  const { t } = useTranslation();
  return (unbepreist) =>
    unbepreist > 0
      ? t('neubepreisung.losing', { count: unbepreist })
      : t('neubepreisung.priced', { count: -unbepreist });
}

/** What these calls cost so far and anew, in USD. */
function Costs({ of: { alt_usd, neu_usd } }: { of: Neubepreisung }) {
  const { t } = useTranslation();
  const format = useFormat();
  const titleOf = useMoneyTitle();
  const column = format.moneyColumn([alt_usd, neu_usd], { currency: 'USD' });
  const figure = (value: string) => ({ value: column.text(value), title: titleOf(value, column) });
  return (
    <>
      <Figure label={t('neubepreisung.old')} {...figure(alt_usd)} />
      <Figure label={t('neubepreisung.next')} {...figure(neu_usd)} />
    </>
  );
}

function DifferenceFigure({ value }: { value: string }) {
  const { t } = useTranslation();
  const format = useFormat();
  const titleOf = useMoneyTitle();
  const column = format.moneyColumn([value], { signed: true });
  const direction = directionOf(value);
  return (
    <Figure
      label={t('neubepreisung.difference')}
      value={column.text(value)}
      title={titleOf(value, column)}
      tone={tones[direction]}
      note={t(`neubepreisung.${direction}`)}
    />
  );
}

/** What changes in all: calls, their cost, the difference, and how many of them become priced or unpriced. */
export function Figures({ of }: { of: Neubepreisung }) {
  const { t } = useTranslation();
  const format = useFormat();
  const unpricedText = useUnpricedText();
  return (
    <FigureRow>
      <Figure
        label={t('neubepreisung.changed')}
        value={format.count(of.geaendert)}
        note={t('neubepreisung.ofRead', { count: of.gelesen })}
      />
      <Costs of={of} />
      <DifferenceFigure value={of.differenz_eur} />
      {of.unbepreist !== 0 && (
        <Figure
          label={t('neubepreisung.unpriced')}
          value={format.countChange(of.unbepreist)}
          note={unpricedText(of.unbepreist)}
        />
      )}
    </FigureRow>
  );
}
