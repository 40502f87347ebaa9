/** What a rule says, in words. */
import { useTranslation } from 'react-i18next';
import type { Regel } from '../../api/types.ts';
import { useFormat } from '../../format/use-format.ts';
import type { regeln } from '../../i18n/de/regeln.ts';
import { useDurationText } from '../eingriffe/index.ts';

type Unit = keyof typeof regeln.units;
const isUnit = (text: string | null, exists: (key: string) => boolean): text is Unit =>
  text !== null && exists(`regeln.units.${text}`);

export function useRuleTexts() {
  const { t, i18n } = useTranslation();
  const format = useFormat();
  const durationText = useDurationText();
  /** A value in its unit: `12,50 €`, `20 %`, `3-fach`, `5 Schritte`. */
  const thresholdText = ({
    schwelle,
    einheit,
    parameter,
  }: Pick<Regel, 'schwelle' | 'einheit'> & Partial<Pick<Regel, 'parameter'>>): string => {
    // Rules about budgets have several, as a parameter.
    if (schwelle === null) return Array.isArray(parameter?.stufen) ? `${parameter.stufen.join(', ')} %` : '–';
    if (einheit === 'eur') return format.money(schwelle);
    const number = format.decimal(schwelle);
    if (!isUnit(einheit, (key) => i18n.exists(key))) return number;
    const unit = t(`regeln.units.${einheit}`);
    return unit.startsWith('-') ? `${number}${unit}` : `${number} ${unit}`;
  };
  const scopeText = ({ geltungsbereich, bezug }: Pick<Regel, 'geltungsbereich' | 'bezug'>): string =>
    geltungsbereich === 'mandant'
      ? t('eingriffe.object.mandant')
      : `${t(`eingriffe.object.${geltungsbereich}`)} ${bezug ?? ''}`;
  const windowText = (zeitfenster: string | null) => (zeitfenster === null ? '–' : durationText(zeitfenster));
  return { thresholdText, scopeText, windowText };
}
