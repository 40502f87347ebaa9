import { type ReactNode, useEffect, useRef } from 'react';
import { Button } from './button.tsx';
import { ErrorNotice } from './error-notice.tsx';

interface FormProps {
  /** Name of the button. */
  confirm: string;
  /** What the last try failed with; null before the first and after a success. */
  error: unknown;
  busy: boolean;
  /** The button takes the whole width: for pages that are one form. */
  wide?: boolean;
  /** The form does harm, and the button says so. */
  harm?: boolean;
  disabled?: boolean;
  /** Further buttons beside the confirming one. */
  actions?: ReactNode;
  onSubmit: (form: FormData) => void;
  children: ReactNode;
}

/** A field of a submitted form as text. */
export function textOf(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === 'string' ? value : '';
}

/** Fields and a button; after a refused submit the first faulty field gets the focus. */
export function Form({ confirm, error, busy, wide = false, harm = false, ...rest }: FormProps) {
  const { disabled = false, actions, onSubmit, children } = rest;
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (error) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [error]);
  return (
    <form
      ref={form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit(new FormData(event.currentTarget));
      }}
      className="flex flex-col gap-4"
    >
      {Boolean(error) && <ErrorNotice error={error} />}
      {children}
      <div className={`flex gap-2 ${wide ? 'flex-col' : 'flex-wrap'}`}>
        <Button kind={harm ? 'harm' : 'primary'} type="submit" busy={busy} disabled={disabled}>
          {confirm}
        </Button>
        {actions}
      </div>
    </form>
  );
}
