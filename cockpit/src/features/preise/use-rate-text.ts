/** Rates in words: what they are for, and how much. */
import { useTranslation } from 'react-i18next';
import { BOOK_RATE_NAMES, type BookRateName } from '#contracts/book-rates.ts';
import type { Preis } from '../../api/types.ts';
import { useFormat } from '../../format/use-format.ts';

/** Those that are stated, each as a text such as `Eingabe 2,50 $`; characters say that they are a million. */
export function useRateTexts() {
  const { t } = useTranslation();
  const format = useFormat();
  const textOf = (name: BookRateName, amount: string): string => {
    const text = `${t(`preise.rate.${name}`)} ${format.moneyExact(amount, 'USD')}`;
    return name === 'zeichen' ? `${text} (${t('preise.unit.mchars')})` : text;
  };
  return (saetze: Preis['saetze'], except: readonly BookRateName[] = []): string[] =>
    BOOK_RATE_NAMES.flatMap((name) => {
      const amount = saetze[name];
      return amount === null || except.includes(name) ? [] : [textOf(name, amount)];
    });
}
