import { useTranslation } from 'react-i18next';
import { deviceOf } from './device.ts';

/** What a browser says it is, in words: `Firefox auf Windows`. */
export function useDeviceName() {
  const { t } = useTranslation();
  return (agent: string | null): string => {
    const { browser, system } = deviceOf(agent);
    if (browser && system) return t('sicherheit.device', { browser, system });
    return browser ?? system ?? t('sicherheit.unknownDevice');
  };
}
