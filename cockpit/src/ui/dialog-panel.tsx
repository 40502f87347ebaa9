import { Dialog as Base } from 'radix-ui';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { IconButton } from './button.tsx';
import { CloseIcon } from './icons.tsx';
import type { useDialogFocus } from './use-dialog-focus.ts';

export interface OpenDialogProps {
  onClose: () => void;
  title: string;
  /** One or two sentences below the title: what will happen. */
  description?: ReactNode;
  children?: ReactNode;
  /** The buttons, the confirming one last. */
  actions?: ReactNode;
}

interface DialogPanelProps extends OpenDialogProps {
  focus: ReturnType<typeof useDialogFocus>;
}

/** An open dialog: comes when one is first opened. */
export function DialogPanel({ focus, onClose, title, description, children, actions }: DialogPanelProps) {
  const { t } = useTranslation();
  return (
    <Base.Root open onOpenChange={(next) => !next && onClose()}>
      <Base.Portal>
        <Base.Overlay className="fixed inset-0 z-40 bg-veil" />
        <Base.Content
          {...focus}
          {...(description ? {} : { 'aria-describedby': undefined })}
          className="fixed top-[12vh] left-1/2 z-50 flex max-h-[80vh] w-[min(30rem,calc(100vw-2rem))] -translate-x-1/2 flex-col gap-4 overflow-y-auto rounded-lg border bg-surface p-5 shadow-float"
        >
          <div className="flex items-start justify-between gap-4">
            <Base.Title className="pt-1 text-lg">{title}</Base.Title>
            <Base.Close asChild>
              <IconButton label={t('ui.close')} icon={<CloseIcon />} />
            </Base.Close>
          </div>
          {description && <Base.Description className="-mt-2 text-ink-2">{description}</Base.Description>}
          {children}
          {actions && (
            <div data-actions="" className="flex flex-wrap justify-end gap-2">
              {actions}
            </div>
          )}
        </Base.Content>
      </Base.Portal>
    </Base.Root>
  );
}
