import { lazy, type ReactNode, Suspense } from 'react';
import { loadOverlays } from './load-overlays.ts';
import { useDialogFocus } from './use-dialog-focus.ts';

const DialogPanel = lazy(async () => ({ default: (await loadOverlays()).DialogPanel }));

export interface OpenDialogProps {
  onClose: () => void;
  title: string;
  /** One or two sentences below the title: what will happen. */
  description?: ReactNode;
  children?: ReactNode;
  /** The buttons, the confirming one last. */
  actions?: ReactNode;
}

interface DialogProps extends OpenDialogProps {
  open: boolean;
}

/**
 * A modal dialog: the focus goes to its first field and stays inside, Escape closes, the focus returns to where it
 * came from.
 */
export function Dialog({ open, ...rest }: DialogProps) {
  return open ? <OpenDialog {...rest} /> : null;
}

function OpenDialog(props: OpenDialogProps) {
  const focus = useDialogFocus();
  return (
    <Suspense>
      <DialogPanel {...props} focus={focus} />
    </Suspense>
  );
}
