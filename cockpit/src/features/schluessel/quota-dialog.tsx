import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Schluessel } from '../../api/types.ts';
import { useErrorText } from '../../api/use-error-text.ts';
import { useFormat } from '../../format/use-format.ts';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { toast } from '../../ui/toast.tsx';
import { changeOfQuota, draftOfQuota, QuotaFields } from '../kontingente/index.ts';
import { useChangeKey } from './use-keys.ts';

/** Sets, changes or takes away what a key may send in a minute. */
export function QuotaDialog({ target, onClose }: { target: Schluessel; onClose: () => void }) {
  const { t } = useTranslation();
  const { language } = useFormat();
  const { sentence, fieldError } = useErrorText();
  const [before] = useState(() => draftOfQuota(target));
  const [draft, setDraft] = useState(before);
  const change = useChangeKey(target.schluessel_id, () => {
    toast(t('kontingente.saved', { name: target.name }));
    onClose();
  });
  const wish = changeOfQuota(before, draft, language);
  return (
    <FormDialog
      title={t('kontingente.dialogOf', { name: target.name })}
      description={t('kontingente.dialogText')}
      confirm={t('ui.save')}
      error={change.error ? sentence(change.error) : undefined}
      busy={change.isPending}
      disabled={Object.keys(wish).length === 0}
      onSubmit={() => change.mutate(wish)}
      onClose={onClose}
    >
      <QuotaFields
        draft={draft}
        hint={t('kontingente.emptyUnlimited')}
        onChange={setDraft}
        fieldError={(field) => fieldError(change.error, field)}
      />
    </FormDialog>
  );
}
