import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../api/call.ts';
import type { AgentZeile } from '../../api/types.ts';
import { useErrorText } from '../../api/use-error-text.ts';
import { TextField } from '../../ui/field.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { toast } from '../../ui/toast.tsx';

interface EditDialogProps {
  agent: Pick<AgentZeile, 'agent_id' | 'name' | 'projekt'>;
  onClose: () => void;
}

function useSave(agent_id: string, onClose: () => void) {
  const { t } = useTranslation();
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: { name: string; projekt: string }) =>
      call('agentAendern', { params: { agent_id }, body }),
    onSuccess: () => {
      // The name stands in lists, overviews and filters alike.
      client.invalidateQueries();
      toast(t('katalog.saved'));
      onClose();
    },
  });
}

/** Name and project of an agent; what was counted before stays where it is. */
export function EditDialog({ agent, onClose }: EditDialogProps) {
  const { t } = useTranslation();
  const { sentence, fieldError } = useErrorText();
  const [name, setName] = useState(agent.name);
  const [projekt, setProjekt] = useState(agent.projekt);
  const save = useSave(agent.agent_id, onClose);
  return (
    <FormDialog
      title={t('katalog.editTitle')}
      description={t('katalog.editHint')}
      confirm={t('ui.save')}
      error={save.error ? sentence(save.error) : undefined}
      busy={save.isPending}
      onSubmit={() => save.mutate({ name: name.trim(), projekt: projekt.trim() })}
      onClose={onClose}
    >
      <TextField
        label={t('katalog.name')}
        value={name}
        onChange={(event) => setName(event.target.value)}
        autoComplete="off"
        error={fieldError(save.error, 'name')}
      />
      <TextField
        label={t('katalog.project')}
        value={projekt}
        onChange={(event) => setProjekt(event.target.value)}
        autoComplete="off"
        error={fieldError(save.error, 'projekt')}
      />
    </FormDialog>
  );
}
