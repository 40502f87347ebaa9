/** Entries of the audit log in words. */
import { useTranslation } from 'react-i18next';
import type { Protokolleintrag } from '../../api/types.ts';
import { useFormat } from '../../format/use-format.ts';
import { useDeviceName } from '../zugang/index.ts';

type Words = Record<string, string>;

const instant = /^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/;

export function useWords() {
  const { t } = useTranslation();
  const format = useFormat();
  const actions: Words = t('protokoll.action', { returnObjects: true });
  const fields: Words = t('protokoll.field', { returnObjects: true });
  const values: Words = {
    ...t('rolle', { returnObjects: true }),
    ...t('protokoll.value', { returnObjects: true }),
  };
  const deviceName = useDeviceName();
  const kinds: Words = t('protokoll.kind', { returnObjects: true });

  /** The action as a sentence, by its dotted name where there is none. */
  const actionText = (aktion: string): string => actions[aktion] ?? aktion;

  const fieldText = (field: string): string => fields[field] ?? field;

  const kindText = (kind: string): string => kinds[kind] ?? kind;

  const valueText = (field: string, value: unknown): string => {
    if (value === null || value === '') return t('protokoll.empty');
    if (typeof value === 'boolean') return t(value ? 'ui.yes' : 'ui.no');
    if (typeof value === 'number') return format.count(value);
    if (Array.isArray(value))
      return value.map((one) => valueText(field, one)).join(', ') || t('protokoll.empty');
    if (typeof value !== 'string') return JSON.stringify(value);
    if (field === 'geraet') return deviceName(value);
    return instant.test(value) ? format.instant(value, 'dateTimeSeconds') : (values[value] ?? value);
  };

  const actorText = ({ art, name }: Protokolleintrag['akteur']): string =>
    name ?? t(`protokoll.actor.${art}`);

  return { actionText, fieldText, kindText, valueText, actorText };
}
