import type { Endkunde } from '../../api/types.ts';
import { BookingDialog } from './booking-dialog.tsx';
import { EditDialog, NewDialog } from './customer-dialog.tsx';
import { ImportDialog } from './import-dialog.tsx';
import { MergeDialog } from './merge-dialog.tsx';
import { RemoveDialog } from './remove-dialog.tsx';
import { SplitDialog } from './split-dialog.tsx';

/** What can be done to an end customer of the list. */
export type CustomerAction = 'edit' | 'again' | 'merge' | 'split' | 'remove' | 'booking';

export type OpenDialog = { action: 'new' } | { action: 'import' } | { action: CustomerAction; of: Endkunde };

interface CustomerDialogsProps {
  /** The month of the list. */
  month: string;
  open: OpenDialog | null;
  onClose: () => void;
}

/** The dialog that is open, if one is. */
export function CustomerDialogs({ month, open, onClose }: CustomerDialogsProps) {
  if (open === null) return null;
  if (open.action === 'import') return <ImportDialog onClose={onClose} />;
  if (open.action === 'new') return <NewDialog onClose={onClose} />;
  const { of } = open;
  if (open.action === 'edit') return <EditDialog of={of} onClose={onClose} />;
  if (open.action === 'again') return <NewDialog referenz={of.referenz} onClose={onClose} />;
  if (open.action === 'merge') return <MergeDialog of={of} onClose={onClose} />;
  if (open.action === 'booking') return <BookingDialog month={month} of={of} onClose={onClose} />;
  if (open.action === 'split') return <SplitDialog of={of} onClose={onClose} />;
  return <RemoveDialog of={of} onClose={onClose} />;
}
