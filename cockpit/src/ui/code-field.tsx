import type { ComponentProps } from 'react';
import { TextField } from './field.tsx';

/** A one-time code of six digits; phones offer the one they have just received, and it may be pasted with spaces. */
export function CodeField(props: ComponentProps<typeof TextField>) {
  return (
    <TextField
      inputMode="numeric"
      autoComplete="one-time-code"
      spellCheck={false}
      {...props}
      className="max-w-40 font-mono tracking-widest"
    />
  );
}
