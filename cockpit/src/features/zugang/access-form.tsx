import { type ReactNode, useEffect, useRef } from 'react';
import { useErrorText } from '../../api/use-error-text.ts';
import { Button } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';

interface AccessFormProps {
  /** Name of the button. */
  confirm: string;
  error: unknown;
  busy: boolean;
  onSubmit: (form: FormData) => void;
  children: ReactNode;
}

/** A field of a submitted form as text. */
export function textOf(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === 'string' ? value : '';
}

/** The form of the pages before the cockpit; after a refused submit the first faulty field gets the focus. */
export function AccessForm({ confirm, error, busy, onSubmit, children }: AccessFormProps) {
  const form = useRef<HTMLFormElement>(null);
  const { sentence } = useErrorText();
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
      {error !== null && (
        <Notice tone="harm" live>
          {sentence(error)}
        </Notice>
      )}
      {children}
      <Button kind="primary" type="submit" busy={busy}>
        {confirm}
      </Button>
    </form>
  );
}
