import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ansichtenQuery } from '../../api/queries.ts';
import { useErrorText } from '../../api/use-error-text.ts';
import { TextField } from '../../ui/field.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { toast } from '../../ui/toast.tsx';
import { useKeepView, useShown } from './use-views.ts';

/** Keeps what is shown under a name; the name of another view overwrites that one. */
export function SaveDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const { sentence, fieldError } = useErrorText();
  const [name, setName] = useState('');
  const names = useId();
  const shown = useShown();
  const views = useQuery(ansichtenQuery).data?.ansichten ?? [];
  const instead = views.find((view) => view.name === name.trim());
  const keep = useKeepView((view) => {
    toast(t('ansichten.saved', { name: view.name }));
    onClose();
  });
  const { error } = keep;
  // Of what stands in the address only the service knows why it cannot be kept.
  const why = () => fieldError(error, 'pfad') ?? fieldError(error, 'suche') ?? sentence(error);
  return (
    <FormDialog
      title={t('ansichten.saveTitle')}
      description={t('ansichten.saveText')}
      confirm={t(instead ? 'ansichten.overwrite' : 'ui.save')}
      error={error ? why() : undefined}
      busy={keep.isPending}
      onSubmit={() => keep.mutate({ ...shown, name: name.trim(), instead })}
      onClose={onClose}
    >
      <TextField
        label={t('ansichten.name')}
        hint={instead ? t('ansichten.overwrites', { name: instead.name }) : t('ansichten.nameHint')}
        value={name}
        maxLength={80}
        list={names}
        onChange={(event) => setName(event.target.value)}
        autoComplete="off"
        error={fieldError(error, 'name')}
      />
      <datalist id={names}>
        {views.map((view) => (
          <option key={view.ansicht_id} value={view.name} />
        ))}
      </datalist>
    </FormDialog>
  );
}
