/** Rates in words: what they are for, and how much. */
import { useTranslation } from 'react-i18next';
import { BOOK_RATE_NAMES, type BookRateName } from '#contracts/book-rates.ts';
import type { Preis } from '../../api/types.ts';
import { useFormat } from '../../format/use-format.ts';
import { unitOf } from './rates.ts';

/** Those that are stated, each as a text such as `Eingabe 2,50 $ (USD je 1 Mio. Token)`; the unit only where it is not tokens. */
export function useRateTexts() {
  const { t } = useTranslation();
  const format = useFormat();
  const textOf = (name: BookRateName, amount: string): string => {
    const unit = unitOf(name);
    const money = format.moneyExact(amount, 'USD');
    return unit === 'mtok'
      ? `${t(`preise.rate.${name}`)} ${money}`
      : `${t(`preise.rate.${name}`)} ${money} (${t(`preise.unit.${unit}`)})`;
  };
  return (saetze: Preis['saetze'], except: readonly BookRateName[] = []): string[] =>
    BOOK_RATE_NAMES.flatMap((name) => {
      const amount = saetze[name];
      return amount === null || except.includes(name) ? [] : [textOf(name, amount)];
    });
}
