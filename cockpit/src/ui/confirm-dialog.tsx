import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { ErrorNotice } from './error-notice.tsx';

interface ConfirmDialogProps {
  title: string;
  /** What will happen. */
  description?: ReactNode;
  /** Name of the confirming button. */
  confirm: string;
  /** Name of the other one, where "cancel" could mean either. */
  cancel?: string;
  /** What the last try failed with. */
  error?: unknown;
  busy?: boolean;
  /** Something stands in the way, which the text says. */
  blocked?: boolean;
  /** What can be taken back at any time does no harm. */
  kind?: 'harm' | 'primary';
  onConfirm: () => void;
  onClose: () => void;
  /** What breaks, point by point. */
  children?: ReactNode;
}

/** Asks before something that does harm, and names what. */
export function ConfirmDialog({
  confirm,
  cancel,
  error,
  busy = false,
  blocked = false,
  kind = 'harm',
  onConfirm,
  children,
  ...rest
}: ConfirmDialogProps) {
  const { t } = useTranslation();
  return (
    <Dialog
      open
      {...rest}
      actions={
        <>
          <Button onClick={rest.onClose}>{cancel ?? t('ui.cancel')}</Button>
          <Button kind={kind} busy={busy} disabled={blocked} onClick={onConfirm}>
            {confirm}
          </Button>
        </>
      }
    >
      {children}
      {Boolean(error) && <ErrorNotice error={error} />}
    </Dialog>
  );
}

/** What follows from an action, one point to a line. */
export function Consequences({ points }: { points: string[] }) {
  return (
    <ul className="flex list-disc flex-col gap-1 pl-5 text-ink-2">
      {points.map((point) => (
        <li key={point}>{point}</li>
      ))}
    </ul>
  );
}
