import type { ComponentProps, ReactNode } from 'react';
import { useId } from 'react';

const control =
  'h-8 w-full rounded border border-edge bg-surface px-2.5 text-base text-ink placeholder:text-ink-3 aria-invalid:border-harm disabled:opacity-60 [&[readonly]]:bg-sunken [&[readonly]]:text-ink-2';

interface FieldFrame {
  label: string;
  /** One sentence below the label that is always there. */
  hint?: ReactNode;
  /** What is wrong with the value; read out with the field. */
  error?: string | undefined;
  /** The label is there for screen readers only. */
  hideLabel?: boolean;
}

interface FrameProps extends FieldFrame {
  id: string;
  children: ReactNode;
}

function Frame({ id, label, hint, error, hideLabel, children }: FrameProps) {
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <label htmlFor={id} className={hideLabel ? 'sr-only' : 'text-sm font-medium'}>
        {label}
      </label>
      {children}
      {hint && (
        <p id={`${id}-hint`} className="text-xs text-ink-3">
          {hint}
        </p>
      )}
      {error && (
        <p id={`${id}-error`} className="text-xs text-harm">
          {error}
        </p>
      )}
    </div>
  );
}

const describedBy = (id: string, { hint, error }: FieldFrame) =>
  [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ') || undefined;

interface TextFieldProps extends FieldFrame, ComponentProps<'input'> {
  /** An icon button at the end of the line, inside the frame. */
  trailing?: ReactNode;
}

/** One line of text with its label, hint and error. */
export function TextField({
  label,
  hint,
  error,
  hideLabel = false,
  trailing,
  className = '',
  ...rest
}: TextFieldProps) {
  const id = useId();
  return (
    <Frame id={id} label={label} hint={hint} error={error} hideLabel={hideLabel}>
      <div className="relative">
        <input
          id={id}
          aria-invalid={error ? true : undefined}
          aria-describedby={describedBy(id, { label, hint, error })}
          {...rest}
          className={`${control} ${trailing ? 'pr-9' : ''} ${className}`}
        />
        {trailing && <div className="absolute top-0.5 right-0.5 [&>button]:size-7">{trailing}</div>}
      </div>
    </Frame>
  );
}

/** Several lines of text. */
export function TextAreaField({
  label,
  hint,
  error,
  hideLabel = false,
  ...rest
}: FieldFrame & ComponentProps<'textarea'>) {
  const id = useId();
  return (
    <Frame id={id} label={label} hint={hint} error={error} hideLabel={hideLabel}>
      <textarea
        id={id}
        rows={3}
        aria-invalid={error ? true : undefined}
        aria-describedby={describedBy(id, { label, hint, error })}
        {...rest}
        className={`${control} h-auto py-1.5`}
      />
    </Frame>
  );
}

interface SelectFieldProps extends FieldFrame, Omit<ComponentProps<'select'>, 'onChange'> {
  options: { value: string; label: string }[];
  onChange: (value: string) => void;
}

/** A choice of one; the platform's own list, which every keyboard and phone knows. */
export function SelectField({
  label,
  hint,
  error,
  hideLabel = false,
  options,
  onChange,
  ...rest
}: SelectFieldProps) {
  const id = useId();
  return (
    <Frame id={id} label={label} hint={hint} error={error} hideLabel={hideLabel}>
      <select
        id={id}
        aria-describedby={describedBy(id, { label, hint, error })}
        {...rest}
        onChange={(event) => onChange(event.target.value)}
        className={`${control} pr-1`}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
    </Frame>
  );
}

/** A box to tick; the whole line is its target. */
export function CheckField({ label, hint, error, ...rest }: FieldFrame & ComponentProps<'input'>) {
  const id = useId();
  return (
    <div className="flex flex-col gap-1">
      <div className="flex min-h-6 items-start gap-2">
        <input
          id={id}
          type="checkbox"
          aria-invalid={error ? true : undefined}
          aria-describedby={describedBy(id, { label, hint, error })}
          {...rest}
          className="mt-1 size-4 shrink-0 accent-accent"
        />
        <label htmlFor={id} className="cursor-pointer text-sm leading-6">
          {label}
        </label>
      </div>
      {hint && (
        <p id={`${id}-hint`} className="pl-6 text-xs text-ink-3">
          {hint}
        </p>
      )}
      {error && (
        <p id={`${id}-error`} className="pl-6 text-xs text-harm">
          {error}
        </p>
      )}
    </div>
  );
}
