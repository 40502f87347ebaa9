import { lazy, Suspense } from 'react';
import type { OpenDialogProps } from './dialog-panel.tsx';
import { loadOverlays } from './load-overlays.ts';
import { useDialogFocus } from './use-dialog-focus.ts';

const DialogPanel = lazy(async () => ({ default: (await loadOverlays()).DialogPanel }));

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
