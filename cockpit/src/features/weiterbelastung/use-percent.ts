import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { withMinus } from '../../format/number.ts';
import { useFormat } from '../../format/use-format.ts';

/** Percents of the service (a decimal text) as people read them: `12,5 %`. */
export function usePercent(): (value: string) => string {
  const { t } = useTranslation();
  const format = useFormat();
  return useCallback(
    (value) => t('weiterbelastung.percent', { value: withMinus(format.decimal(value)) }),
    [t, format],
  );
}
