import { useTranslation } from 'react-i18next';
import type { Schluessel } from '../../api/types.ts';
import { useFormat } from '../../format/use-format.ts';
import { ConfirmDialog, Consequences } from '../../ui/confirm-dialog.tsx';
import { toast } from '../../ui/toast.tsx';
import { useBlockKey } from './use-keys.ts';

/** What stops working, and whether anybody would notice. */
function useConsequences({ bereiche, zuletzt_benutzt_am: used }: Schluessel): string[] {
  const { t } = useTranslation();
  const format = useFormat();
  return [
    ...(bereiche.includes('Senden') ? [t('schluessel.breaksSend')] : []),
    ...(bereiche.includes('Lesen') ? [t('schluessel.breaksRead')] : []),
    used === null
      ? t('schluessel.neverUsedYet')
      : t('schluessel.usedAgo', { ago: format.ago(used, new Date()) }),
  ];
}

/** Asks before a key is blocked, and names what stops working. */
export function BlockDialog({ target, onClose }: { target: Schluessel; onClose: () => void }) {
  const { t } = useTranslation();
  const points = useConsequences(target);
  const block = useBlockKey(() => {
    toast(t('schluessel.blocked', { name: target.name }));
    onClose();
  });
  return (
    <ConfirmDialog
      title={t('schluessel.blockTitle', { name: target.name })}
      description={t('schluessel.blockText', { key: target.anzeige })}
      confirm={t('schluessel.block')}
      error={block.error}
      busy={block.isPending}
      onConfirm={() => block.mutate(target.schluessel_id)}
      onClose={onClose}
    >
      <Consequences points={points} />
    </ConfirmDialog>
  );
}
