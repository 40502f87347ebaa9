/** Entries of the audit log in words. */
import { useTranslation } from 'react-i18next';
import type { Protokolleintrag } from '../../api/types.ts';
import { useFormat } from '../../format/use-format.ts';
import { useDeviceName } from '../zugang/index.ts';

type Words = Record<string, string>;

const instant = /^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/;

/** Whether a field names something by a number, which is no amount of anything. */
const isNumber = (field: string) => /nummer|konto|fassung|kuerzel|schluessel$/.test(field);

export function useWords() {
  const { t } = useTranslation();
  const format = useFormat();
  const actions: Words = t('protokoll.action', { returnObjects: true });
  const fields: Words = t('protokoll.field', { returnObjects: true });
  const fieldsOf: Words = t('protokoll.fieldOf', { returnObjects: true });
  const values: Words = {
    ...t('rolle', { returnObjects: true }),
    ...t('protokoll.value', { returnObjects: true }),
  };
  const deviceName = useDeviceName();
  const kinds: Words = t('protokoll.kind', { returnObjects: true });

  /** The action as a sentence, by its dotted name where there is none. */
  const actionText = (aktion: string): string => actions[aktion] ?? aktion;

  /** The name of a field, which may mean something of its own where this action has it. */
  const fieldText = (field: string, aktion: string): string =>
    fieldsOf[`${aktion}.${field}`] ?? fields[field] ?? field;

  const kindText = (kind: string): string => kinds[kind] ?? kind;

  const numberText = (field: string, value: number): string =>
    isNumber(field) ? String(value) : format.count(value);

  const stringText = (field: string, value: string): string => {
    if (value === '') return t('protokoll.empty');
    if (field === 'geraet') return deviceName(value);
    return instant.test(value) ? format.instant(value, 'dateTimeSeconds') : (values[value] ?? value);
  };

  /** The items of a list, the fields of an object by their names. */
  const membersText = (field: string, value: object): string => {
    if (Array.isArray(value))
      return value.map((one) => valueText(field, one)).join(', ') || t('protokoll.empty');
    return Object.entries(value)
      .map(([name, one]) => `${fields[name] ?? name} ${valueText(name, one)}`)
      .join(', ');
  };

  const valueText = (field: string, value: unknown): string => {
    if (value === null) return t('protokoll.empty');
    if (typeof value === 'boolean') return t(value ? 'ui.yes' : 'ui.no');
    if (typeof value === 'number') return numberText(field, value);
    if (typeof value === 'object') return membersText(field, value);
    return typeof value === 'string' ? stringText(field, value) : String(value);
  };

  const actorText = ({ art, name }: Protokolleintrag['akteur']): string =>
    name ?? t(`protokoll.actor.${art}`);

  return { actionText, fieldText, kindText, valueText, actorText };
}
