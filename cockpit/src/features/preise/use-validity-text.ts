/** When an entry holds, in words. */
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../format/use-format.ts';
import { addDays } from '../verbrauch/search.ts';
import type { Valid } from './validity.ts';

/** The last day named is one it holds on. */
export function useValidityText(): (entry: Valid) => string {
  const { t } = useTranslation();
  const format = useFormat();
  return ({ gilt_ab, gilt_bis }) => {
    const last = gilt_bis === null ? null : addDays(gilt_bis, -1);
    if (gilt_ab === null && last === null) return t('preise.valid.always');
    if (gilt_ab === null) return t('preise.valid.until', { day: format.day(last as string) });
    if (last === null) return t('preise.valid.from', { day: format.day(gilt_ab) });
    return format.days(gilt_ab, last);
  };
}
