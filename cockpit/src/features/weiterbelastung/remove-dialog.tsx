import { useTranslation } from 'react-i18next';
import type { Endkunde } from '../../api/types.ts';
import { ConfirmDialog, Consequences } from '../../ui/confirm-dialog.tsx';
import { nameOf } from './names.ts';
import { useChange } from './use-customers.ts';

/** Deletes an end customer, after saying what stays. */
export function RemoveDialog({ of, onClose }: { of: Endkunde; onClose: () => void }) {
  const { t } = useTranslation();
  const { error, isPending, mutate } = useChange('endkundeEntfernen', t('weiterbelastung.removed'), onClose);
  const points = [
    t('weiterbelastung.removePoints.forgets'),
    t('weiterbelastung.removePoints.keeps'),
    t('weiterbelastung.removePoints.calls', { reference: of.referenz }),
    ...(of.zusammengefuehrt.length > 0 ? [t('weiterbelastung.removePoints.merged')] : []),
  ];
  return (
    <ConfirmDialog
      title={t('weiterbelastung.removeTitle', { name: nameOf(of) })}
      confirm={t('weiterbelastung.remove')}
      error={error}
      busy={isPending}
      onConfirm={() => mutate({ params: { endkunde_id: of.endkunde_id } })}
      onClose={onClose}
    >
      <Consequences points={points} />
    </ConfirmDialog>
  );
}
