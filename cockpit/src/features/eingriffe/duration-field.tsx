import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { SelectField, TextField } from '../../ui/field.tsx';
import { useDurationText } from './duration.ts';

const OWN = 'own';
const units = ['m', 'h', 'd'] as const;

interface DurationFieldProps {
  label: string;
  hint?: string;
  /** `15m`, `24h`, `7d` or a part of the calendar; empty where there is none. */
  value: string;
  /** The usual ones. */
  choices: string[];
  /** What it is called that none is set; without it one has to be. */
  none?: string;
  error: string | undefined;
  onChange: (value: string) => void;
}

/** A length of time: one of the usual ones by its name, or any other by number and unit. */
export function DurationField({ label, hint, value, choices, none, error, onChange }: DurationFieldProps) {
  const { t } = useTranslation();
  const durationText = useDurationText();
  const isUsual = choices.includes(value) || (none !== undefined && value === '');
  const [own, setOwn] = useState(!isUsual);
  const choose = (next: string) => {
    setOwn(next === OWN);
    // A unit without a number is refused.
    onChange(next === OWN ? 'h' : next);
  };
  return (
    <>
      <SelectField
        label={label}
        hint={hint}
        value={own ? OWN : value}
        options={[
          ...(none === undefined ? [] : [{ value: '', label: none }]),
          ...choices.map((choice) => ({ value: choice, label: durationText(choice) })),
          { value: OWN, label: t('eingriffe.duration.other') },
        ]}
        onChange={choose}
        error={own ? undefined : error}
      />
      {own && <OwnDuration value={value} error={error} onChange={onChange} />}
    </>
  );
}

function OwnDuration({ value, error, onChange }: Pick<DurationFieldProps, 'value' | 'error' | 'onChange'>) {
  const { t } = useTranslation();
  const [count, setCount] = useState(value.slice(0, -1));
  const [unit, setUnit] = useState(value.slice(-1) || 'h');
  const change = (nextCount: string, nextUnit: string) => {
    setCount(nextCount);
    setUnit(nextUnit);
    onChange(`${nextCount.trim()}${nextUnit}`);
  };
  return (
    <div className="grid grid-cols-[minmax(0,1fr)_9rem] items-start gap-2">
      <TextField
        label={t('eingriffe.duration.count')}
        value={count}
        inputMode="numeric"
        autoComplete="off"
        onChange={(event) => change(event.target.value, unit)}
        error={error}
      />
      <SelectField
        label={t('eingriffe.duration.unit')}
        value={unit}
        options={units.map((name) => ({ value: name, label: t(`eingriffe.duration.units.${name}`) }))}
        onChange={(next) => change(count, next)}
      />
    </div>
  );
}
