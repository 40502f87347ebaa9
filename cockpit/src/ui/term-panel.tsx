import { Popover } from 'radix-ui';
import type { ReactNode, RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import { CloseIcon } from './icons.tsx';
import { useFocusBack } from './use-focus-back.ts';

interface TermPanelProps {
  id: string;
  name: string;
  button: RefObject<HTMLElement | null>;
  onClose: () => void;
  children: ReactNode;
}

/** What a term means, beside its button. */
export function TermPanel({ id, name, button, onClose, children }: TermPanelProps) {
  const { t } = useTranslation();
  const { onInteractOutside, onCloseAutoFocus } = useFocusBack(button);
  return (
    <Popover.Root open onOpenChange={(open) => !open && onClose()}>
      <Popover.Anchor virtualRef={button as RefObject<HTMLElement>} />
      <Popover.Portal>
        <Popover.Content
          id={id}
          aria-label={name}
          sideOffset={4}
          collisionPadding={12}
          onInteractOutside={(event) => {
            // The button closes by itself.
            if (event.target instanceof Node && button.current?.contains(event.target))
              event.preventDefault();
            else onInteractOutside();
          }}
          onCloseAutoFocus={onCloseAutoFocus}
          className="z-50 flex max-w-[min(20rem,calc(100vw-1.5rem))] items-start gap-2 rounded-lg border bg-surface p-3 text-sm text-ink-2 shadow-float"
        >
          <div>
            <p className="font-medium text-ink">{name}</p>
            <p className="mt-1">{children}</p>
          </div>
          <Popover.Close
            aria-label={t('ui.close')}
            className="inline-flex size-6 shrink-0 items-center justify-center rounded text-ink-3 hover:bg-sunken hover:text-ink"
          >
            <CloseIcon />
          </Popover.Close>
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}
