import { useTranslation } from 'react-i18next';
import { codeOf } from '../../api/error.ts';
import type { Endkunde } from '../../api/types.ts';
import { ConfirmDialog, Consequences } from '../../ui/confirm-dialog.tsx';
import { nameOf } from './names.ts';
import { useChange } from './use-customers.ts';

/** Deletes an end customer, after saying what stays; with calls in open months only after saying which. */
export function RemoveDialog({ of, onClose }: { of: Endkunde; onClose: () => void }) {
  const { t } = useTranslation();
  const { error, isPending, mutate } = useChange('endkundeEntfernen', t('weiterbelastung.removed'), onClose);
  const isOpen = codeOf(error) === 'endkunde_offen';
  const points = [
    t('weiterbelastung.removePoints.forgets'),
    t('weiterbelastung.removePoints.keeps'),
    t('weiterbelastung.removePoints.calls', { reference: of.referenz }),
    ...(of.zusammengefuehrt.length > 0 ? [t('weiterbelastung.removePoints.merged')] : []),
  ];
  return (
    <ConfirmDialog
      title={t('weiterbelastung.removeTitle', { name: nameOf(of) })}
      confirm={t(isOpen ? 'weiterbelastung.removeAnyway' : 'weiterbelastung.remove')}
      error={error}
      busy={isPending}
      onConfirm={() =>
        mutate({ params: { endkunde_id: of.endkunde_id }, query: isOpen ? { bestaetigt: true } : {} })
      }
      onClose={onClose}
    >
      <Consequences points={points} />
    </ConfirmDialog>
  );
}
