import type { ComponentProps } from 'react';
import { TextField } from './field.tsx';
import { useTyped } from './use-typed.ts';

interface FilterFieldProps extends Omit<ComponentProps<typeof TextField>, 'onChange' | 'value'> {
  value: string;
  /** Called with what was typed once there is a pause, on Enter, and when the field is left. */
  onChange: (text: string) => void;
}

/** A text by which a list is filtered; without `type` a search, its label for screen readers only. */
export function FilterField({ value, onChange, ...rest }: FilterFieldProps) {
  const { text, type, settle } = useTyped(value, onChange);
  return (
    <TextField
      type="search"
      hideLabel
      placeholder={rest.label}
      {...rest}
      value={text}
      onChange={(event) => type(event.target.value)}
      onBlur={settle}
      onKeyDown={(event) => event.key === 'Enter' && settle()}
    />
  );
}
