import { useCallback, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { MoneyColumn } from '../format/money-column.ts';
import { useFormat } from '../format/use-format.ts';

interface MoneyProps {
  /** EUR, or what the column is in, as a decimal string; null where no price is known. */
  value: string | null;
  /** The column it stands in (`format.moneyColumn` of all its amounts); without one the amount stands alone. */
  column?: MoneyColumn | undefined;
  /** What it is the sum of, where these amounts stand near it. */
  parts?: (string | null)[] | undefined;
  className?: string;
}

/** What is said of an amount on hover: all its digits; why there is none; that its parts look like another sum. */
export function useMoneyTitle(): (
  value: string | null,
  column: MoneyColumn,
  parts?: (string | null)[],
) => string {
  const { t } = useTranslation();
  const format = useFormat();
  return useCallback(
    (value, column, parts = []) => {
      if (value === null) return t('ui.noPrice');
      const exact = format.moneyExact(value, column.currency);
      return column.hidesParts(parts, value) ? `${exact} · ${t('ui.unroundedSum')}` : exact;
    },
    [t, format],
  );
}

/** An amount; all its digits on hover. */
export function Money({ value, column, parts, className = '' }: MoneyProps) {
  const format = useFormat();
  const titleOf = useMoneyTitle();
  const own = useMemo(() => column ?? format.moneyColumn([value]), [column, format, value]);
  const title = useMemo(() => titleOf(value, own, parts), [titleOf, value, own, parts]);
  return (
    <span className={`whitespace-nowrap ${className}`} title={title}>
      {own.text(value)}
    </span>
  );
}
