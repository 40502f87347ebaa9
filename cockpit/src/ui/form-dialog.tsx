import { type ReactNode, useEffect, useId, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { Notice } from './notice.tsx';

interface FormDialogProps {
  title: string;
  description?: string;
  /** Name of the confirming button. */
  confirm: string;
  /** What went wrong, as a sentence. */
  error?: string | undefined;
  busy?: boolean;
  disabled?: boolean;
  onSubmit: () => void;
  onClose: () => void;
  children: ReactNode;
}

/** A dialog with fields; Enter confirms, Escape leaves. After a refused submit the first faulty field gets the focus. */
export function FormDialog({ title, description, confirm, error, busy, disabled, ...rest }: FormDialogProps) {
  const { t } = useTranslation();
  const { onSubmit, onClose, children } = rest;
  const form = useId();
  const fields = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (error && !busy) fields.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [error, busy]);
  const actions = (
    <>
      <Button onClick={onClose}>{t('ui.cancel')}</Button>
      <Button kind="primary" type="submit" form={form} busy={busy ?? false} disabled={disabled}>
        {confirm}
      </Button>
    </>
  );
  return (
    <Dialog open onClose={onClose} title={title} description={description} actions={actions}>
      <form
        id={form}
        ref={fields}
        noValidate
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          onSubmit();
        }}
      >
        {children}
        {error && (
          <Notice tone="harm" live>
            {error}
          </Notice>
        )}
      </form>
    </Dialog>
  );
}
