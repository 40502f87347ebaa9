import { type ComponentProps, useId } from 'react';
import { useTranslation } from 'react-i18next';
import { TextField } from './field.tsx';

interface ColorFieldProps extends Omit<ComponentProps<typeof TextField>, 'value' | 'onChange' | 'trailing'> {
  /** `#rrggbb`; empty when there is none. */
  value: string;
  /** What the picker shows while there is no colour. */
  fallback: string;
  onChange: (value: string) => void;
}

export const isColor = (text: string): boolean => /^#[0-9a-f]{6}$/i.test(text);

/** A colour: picked, or typed as `#rrggbb`. */
export function ColorField({ value, fallback, onChange, ...field }: ColorFieldProps) {
  const { t } = useTranslation();
  const id = useId();
  return (
    <div className="flex items-start gap-2">
      <div className="w-40">
        <TextField
          spellCheck={false}
          autoComplete="off"
          placeholder="#rrggbb"
          {...field}
          value={value}
          onChange={(event) => onChange(event.target.value.trim())}
          className="font-mono"
        />
      </div>
      <label htmlFor={id} className="sr-only">
        {t('ui.pickColor')}
      </label>
      <input
        id={id}
        type="color"
        value={isColor(value) ? value : fallback}
        onChange={(event) => onChange(event.target.value)}
        className="mt-6 h-8 w-12 cursor-pointer rounded border border-edge bg-surface p-1"
      />
    </div>
  );
}
