import { useTranslation } from 'react-i18next';
import type { regeln } from '../../i18n/de/regeln.ts';
import { SelectField, TextField } from '../../ui/field.tsx';
import { DurationField } from '../eingriffe/index.ts';
import type { FieldsProps } from './fields.ts';
import { useRuleTexts } from './rule-texts.ts';

const windows = ['5m', '15m', '1h', '6h', '24h', '7d'];
const calendar = ['stunde', 'tag', 'monat'];

type Unit = keyof typeof regeln.units;

/** Threshold with its unit, and time window; what the type has not is not there. */
export function ThresholdFields({ draft, type, fault, onChange }: FieldsProps) {
  const { t } = useTranslation();
  const { thresholdText } = useRuleTexts();
  const { schwelle, zeitfenster } = type;
  const preset =
    schwelle?.vorgabe && draft.einheit === schwelle.einheiten[0]
      ? thresholdText({ schwelle: schwelle.vorgabe, einheit: draft.einheit })
      : null;
  return (
    <>
      {schwelle && (
        <div className="grid grid-cols-[minmax(0,1fr)_9rem] items-start gap-2">
          <TextField
            label={t('regeln.threshold')}
            hint={preset && t('regeln.thresholdDefault', { value: preset })}
            value={draft.schwelle}
            inputMode="decimal"
            autoComplete="off"
            onChange={(event) => onChange({ schwelle: event.target.value })}
            error={fault('schwelle')}
          />
          <SelectField
            label={t('regeln.unit')}
            value={draft.einheit}
            disabled={schwelle.einheiten.length === 1}
            options={schwelle.einheiten.map((value) => ({
              value,
              label: t(value === 'faktor' ? 'regeln.times' : `regeln.units.${value as Unit}`),
            }))}
            onChange={(einheit) => onChange({ einheit })}
            error={fault('einheit')}
          />
        </div>
      )}
      {zeitfenster && (
        <DurationField
          key={type.typ}
          label={t('regeln.window')}
          value={draft.zeitfenster}
          choices={zeitfenster.kalender ? [...calendar, ...windows] : windows}
          error={fault('zeitfenster')}
          onChange={(next) => onChange({ zeitfenster: next })}
        />
      )}
    </>
  );
}
