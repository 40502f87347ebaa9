import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Lizenzeintrag } from '../../api/types.ts';
import { useErrorText } from '../../api/use-error-text.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { TextField } from '../../ui/field.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { toast } from '../../ui/toast.tsx';
import { useBlock, useUnblock } from './use-licences.ts';

interface DialogProps {
  target: Lizenzeintrag;
  onClose: () => void;
}

function BlockDialog({ target: { lizenz_id, kunde }, onClose }: DialogProps) {
  const { t } = useTranslation();
  const { sentence, fieldError } = useErrorText();
  const [grund, setGrund] = useState('');
  const block = useBlock(() => {
    toast(t('lizenzen.blocked', { kunde }));
    onClose();
  });
  const reason = grund.trim();
  return (
    <FormDialog
      title={t('lizenzen.blockTitle', { kunde })}
      description={t('lizenzen.blockText')}
      confirm={t('lizenzen.block')}
      error={block.error ? sentence(block.error) : undefined}
      busy={block.isPending}
      onSubmit={() => block.mutate({ lizenz_id, ...(reason ? { grund: reason } : {}) })}
      onClose={onClose}
    >
      <TextField
        label={t('lizenzen.reason')}
        hint={t('lizenzen.reasonHint')}
        value={grund}
        maxLength={200}
        onChange={(event) => setGrund(event.target.value)}
        autoComplete="off"
        error={fieldError(block.error, 'grund')}
      />
    </FormDialog>
  );
}

function UnblockDialog({ target: { lizenz_id, kunde }, onClose }: DialogProps) {
  const { t } = useTranslation();
  const unblock = useUnblock(() => {
    toast(t('lizenzen.unblocked', { kunde }));
    onClose();
  });
  return (
    <ConfirmDialog
      title={t('lizenzen.unblockTitle', { kunde })}
      description={t('lizenzen.unblockText')}
      confirm={t('lizenzen.unblock')}
      kind="primary"
      error={unblock.error}
      busy={unblock.isPending}
      onConfirm={() => unblock.mutate(lizenz_id)}
      onClose={onClose}
    />
  );
}

/** Asks before a licence is blocked, or let go where it is. */
export const ChangeDialog = (props: DialogProps) =>
  props.target.status === 'aktiv' ? <BlockDialog {...props} /> : <UnblockDialog {...props} />;
