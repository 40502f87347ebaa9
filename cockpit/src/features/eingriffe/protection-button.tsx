import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../api/call.ts';
import type { InputOf } from '../../api/operations.ts';
import type { AgentSeite, Stufe } from '../../api/types.ts';
import { useErrorText } from '../../api/use-error-text.ts';
import { Button } from '../../ui/button.tsx';
import { SelectField } from '../../ui/field.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { toast } from '../../ui/toast.tsx';
import { DurationField } from './duration-field.tsx';
import { useMayProtect } from './lift-button.tsx';

type Agent = Pick<AgentSeite['agent'], 'agent_id' | 'eingriffsstufe' | 'ruhezeit'>;

const restPeriods = ['15m', '1h', '4h', '1d', '7d'];
const levels: Stufe[] = ['beobachten', 'warnen', 'drosseln', 'anhalten', 'sperren'];

function useSave(agent_id: string, onClose: () => void) {
  const { t } = useTranslation();
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: InputOf<'agentSchutz'>['body']) => call('agentSchutz', { params: { agent_id }, body }),
    onSuccess: () => {
      client.invalidateQueries();
      toast(t('eingriffe.protection.saved'));
      onClose();
    },
  });
}

function ProtectionDialog({ agent, onClose }: { agent: Agent; onClose: () => void }) {
  const { t } = useTranslation();
  const { sentence, fieldError } = useErrorText();
  const [level, setLevel] = useState(agent.eingriffsstufe ?? '');
  const [rest, setRest] = useState(agent.ruhezeit ?? '');
  const save = useSave(agent.agent_id, onClose);
  const submit = () =>
    save.mutate({
      standard_eingriffsstufe: levels.find((stufe) => stufe === level) ?? null,
      ruhezeit: rest || null,
    });
  return (
    <FormDialog
      title={t('eingriffe.protection.dialog')}
      description={t('eingriffe.protection.hint')}
      confirm={t('ui.save')}
      error={save.error ? sentence(save.error) : undefined}
      busy={save.isPending}
      onSubmit={submit}
      onClose={onClose}
    >
      <SelectField
        label={t('eingriffe.protection.level')}
        value={level}
        options={[
          { value: '', label: t('eingriffe.protection.levelNone') },
          ...levels.map((value) => ({ value, label: t(`eingriffe.action.${value}`) })),
        ]}
        onChange={setLevel}
        error={fieldError(save.error, 'standard_eingriffsstufe')}
      />
      <DurationField
        label={t('eingriffe.protection.rest')}
        hint={t('eingriffe.protection.restHint')}
        value={rest}
        choices={restPeriods}
        none={t('eingriffe.protection.restNone')}
        onChange={setRest}
        error={fieldError(save.error, 'ruhezeit') && t('eingriffe.protection.restFault')}
      />
    </FormDialog>
  );
}

/** How far rules may go with an agent, and how long interventions hold; nothing for users who may not. */
export function ProtectionButton({ agent }: { agent: Agent }) {
  const { t } = useTranslation();
  const may = useMayProtect();
  const [open, setOpen] = useState(false);
  if (!may) return null;
  return (
    <>
      <Button onClick={() => setOpen(true)}>{t('eingriffe.protection.edit')}</Button>
      {open && <ProtectionDialog agent={agent} onClose={() => setOpen(false)} />}
    </>
  );
}
