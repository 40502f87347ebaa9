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

/** What changes in all: calls, what they cost so far and anew, and the difference. */
export function Figures({ of }: { of: Neubepreisung }) {
  const { t } = useTranslation();
  const format = useFormat();
  const titleOf = useMoneyTitle();
  const unpricedText = useUnpricedText();
  const { alt_usd, neu_usd, differenz_eur, unbepreist } = of;
  const dollars = format.moneyColumn([alt_usd, neu_usd], { currency: 'USD' });
  const difference = format.moneyColumn([differenz_eur], { signed: true });
  const direction = directionOf(differenz_eur);
  return (
    <FigureRow>
      <Figure
        label={t('neubepreisung.changed')}
        value={format.count(of.geaendert)}
        note={t('neubepreisung.ofRead', { count: of.gelesen })}
      />
      <Figure
        label={t('neubepreisung.old')}
        value={dollars.text(alt_usd)}
        title={titleOf(alt_usd, dollars)}
      />
      <Figure
        label={t('neubepreisung.next')}
        value={dollars.text(neu_usd)}
        title={titleOf(neu_usd, dollars)}
      />
      <Figure
        label={t('neubepreisung.difference')}
        value={difference.text(differenz_eur)}
        title={titleOf(differenz_eur, difference)}
        tone={tones[direction]}
        note={t(`neubepreisung.${direction}`)}
      />
      {unbepreist !== 0 && (
        <Figure
          label={t('neubepreisung.unpriced')}
          value={format.countChange(unbepreist)}
          note={unpricedText(unbepreist)}
        />
      )}
    </FigureRow>
  );
}
