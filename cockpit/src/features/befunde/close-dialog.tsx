import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../api/call.ts';
import type { Vorfall } from '../../api/types.ts';
import { useErrorText } from '../../api/use-error-text.ts';
import { TextAreaField } from '../../ui/field.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { toast } from '../../ui/toast.tsx';

/** Closes an incident, with what was done. */
export function CloseDialog({ vorfall, onClose }: { vorfall: Vorfall; onClose: () => void }) {
  const { vorfall_id } = vorfall;
  const { t } = useTranslation();
  const { sentence, fieldError } = useErrorText();
  const client = useQueryClient();
  const [massnahme, setMassnahme] = useState<string>(t('befunde.incidents.measureDefault'));
  const close = useMutation({
    mutationFn: () =>
      call('vorfallSchliessen', { params: { vorfall_id }, query: { massnahme: massnahme.trim() } }),
    onSuccess: ({ dauert_an }) => {
      client.invalidateQueries();
      toast(t(dauert_an ? 'befunde.incidents.closedNoteGoesOn' : 'befunde.incidents.closedNote'));
      onClose();
    },
  });
  return (
    <FormDialog
      title={t('befunde.incidents.closeTitle')}
      description={
        (vorfall.dauert_an ? `${t('befunde.incidents.closeGoesOn')} ` : '') + t('befunde.incidents.closeHint')
      }
      confirm={t('befunde.incidents.close')}
      error={close.error ? sentence(close.error) : undefined}
      busy={close.isPending}
      onSubmit={() => close.mutate()}
      onClose={onClose}
    >
      <TextAreaField
        label={t('befunde.incidents.measure')}
        value={massnahme}
        maxLength={500}
        onChange={(event) => setMassnahme(event.target.value)}
        error={fieldError(close.error, 'massnahme')}
      />
    </FormDialog>
  );
}
