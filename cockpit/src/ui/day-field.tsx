import { type ComponentProps, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { readDay } from '../format/typed-day.ts';
import { useFormat } from '../format/use-format.ts';
import { IconButton } from './button.tsx';
import { TextField } from './field.tsx';
import { CalendarIcon } from './icons.tsx';

interface DayFieldProps
  extends Pick<ComponentProps<typeof TextField>, 'label' | 'hint' | 'error' | 'disabled'> {
  /** `YYYY-MM-DD`; empty while there is none. */
  value: string;
  /** The last day that can be meant. */
  max?: string;
  onChange: (day: string) => void;
}

/** What is typed while it makes no day, and why it makes none once the field is left. */
function useTypedDay({ value, max, onChange }: Pick<DayFieldProps, 'value' | 'max' | 'onChange'>) {
  const { t } = useTranslation();
  const format = useFormat();
  const [typed, setTyped] = useState<string | null>(null);
  const [left, setLeft] = useState(false);
  const isLate = (day: string | null) => max !== undefined && day !== null && day > max;
  const takenOf = (text: string) => (isLate(readDay(text)) ? null : readDay(text));
  const change = (text: string) => {
    setTyped(text);
    onChange(takenOf(text) ?? '');
  };
  const pick = (day: string) => {
    setTyped(null);
    onChange(day);
  };
  const leave = () => {
    setLeft(true);
    if (takenOf(typed ?? '') !== null) setTyped(null);
  };
  const isNone = left && value === '' && typed !== null && typed.trim() !== '';
  const fault = isLate(readDay(typed ?? ''))
    ? t('ui.dayLatest', { day: format.day(max ?? '') })
    : t('ui.dayFault', { day: format.day('2026-11-26') });
  return {
    text: typed ?? (value === '' ? '' : format.day(value)),
    fault: isNone ? fault : undefined,
    change,
    pick,
    enter: () => setLeft(false),
    leave,
  };
}

/**
 * A day, shown and typed as days are in the language of the cockpit; browsers show their own field for it in theirs. Their calendar
 * opens at the button.
 */
export function DayField({ value, max, error, onChange, ...rest }: DayFieldProps) {
  const { t } = useTranslation();
  const day = useTypedDay({ value, onChange, ...(max === undefined ? {} : { max }) });
  const calendar = useRef<HTMLInputElement>(null);
  const open = (
    <IconButton
      label={t('ui.pickDay')}
      icon={<CalendarIcon />}
      disabled={rest.disabled}
      onClick={() => calendar.current?.showPicker()}
    />
  );
  return (
    <div className="relative">
      <TextField
        {...rest}
        value={day.text}
        inputMode="numeric"
        autoComplete="off"
        error={day.fault ?? error}
        onFocus={day.enter}
        onBlur={day.leave}
        onChange={(event) => day.change(event.target.value)}
        trailing={open}
      />
      <input
        ref={calendar}
        type="date"
        tabIndex={-1}
        aria-hidden
        max={max}
        value={value}
        onChange={(event) => day.pick(event.target.value)}
        className="pointer-events-none absolute top-6 right-0 size-8 opacity-0"
      />
    </div>
  );
}
