import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../api/call.ts';
import type { InputOf } from '../../api/operations.ts';
import { useErrorText } from '../../api/use-error-text.ts';
import { Button } from '../../ui/button.tsx';
import { SelectField, TextAreaField } from '../../ui/field.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { toast } from '../../ui/toast.tsx';
import { type HandLength, handLengths, untilOf } from './hand.ts';
import { useMayProtect } from './lift-button.tsx';

type Target = { agent_id: string } | { lauf_id: string };
type Body = InputOf<'eingriffAnlegen'>['body'];
type ByHand = NonNullable<Body['stufe']>;

function useIntervene(onClose: () => void) {
  const { t } = useTranslation();
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: Body) => call('eingriffAnlegen', { body }),
    onSuccess: () => {
      client.invalidateQueries();
      toast(t('eingriffe.hand.done'));
      onClose();
    },
  });
}

const levels: ByHand[] = ['drosseln', 'anhalten', 'sperren'];

/** What is chosen, and the intervention it makes of a target; at first what is usual for an agent or a run. */
function useDraft(target: Target) {
  const ofRun = 'lauf_id' in target;
  const [stufe, setStufe] = useState<ByHand>(ofRun ? 'anhalten' : 'sperren');
  const [length, setLength] = useState<HandLength>(ofRun ? 'open' : '1h');
  const [grund, setGrund] = useState('');
  const bodyAt = (now: Date): Body => {
    const bis = untilOf(length, now);
    const why = grund.trim();
    return { ...target, stufe, ...(bis ? { bis } : {}), ...(why ? { grund: why } : {}) };
  };
  return { stufe, setStufe, length, setLength, grund, setGrund, bodyAt };
}

function HandDialog({ target, onClose }: { target: Target; onClose: () => void }) {
  const { t } = useTranslation();
  const { sentence, fieldError } = useErrorText();
  const ofRun = 'lauf_id' in target;
  const draft = useDraft(target);
  const intervene = useIntervene(onClose);
  const kind = ofRun ? 'run' : 'agent';
  return (
    <FormDialog
      title={t(`eingriffe.hand.${kind}Title`)}
      description={t(`eingriffe.hand.${kind}Hint`)}
      confirm={t(ofRun ? 'eingriffe.hand.run' : 'eingriffe.hand.confirm')}
      error={intervene.error ? sentence(intervene.error) : undefined}
      busy={intervene.isPending}
      onSubmit={() => intervene.mutate(draft.bodyAt(new Date()))}
      onClose={onClose}
    >
      {!ofRun && (
        <SelectField
          label={t('eingriffe.hand.what')}
          value={draft.stufe}
          options={levels.map((value) => ({ value, label: t(`eingriffe.hand.option.${value}`) }))}
          onChange={(value) => draft.setStufe(levels.find((level) => level === value) ?? 'sperren')}
        />
      )}
      <SelectField
        label={t('eingriffe.hand.until')}
        value={draft.length}
        options={handLengths.map((value) => ({ value, label: t(`eingriffe.hand.length.${value}`) }))}
        onChange={(value) => draft.setLength(handLengths.find((each) => each === value) ?? 'open')}
        error={fieldError(intervene.error, 'bis')}
      />
      <TextAreaField
        label={t('eingriffe.hand.why')}
        hint={t('eingriffe.hand.whyHint')}
        value={draft.grund}
        maxLength={500}
        onChange={(event) => draft.setGrund(event.target.value)}
        error={fieldError(intervene.error, 'grund')}
      />
    </FormDialog>
  );
}

/** Intervenes by hand: slows down or blocks an agent, stops a run; nothing for users who may not. */
export function HandButton({ target }: { target: Target }) {
  const { t } = useTranslation();
  const may = useMayProtect();
  const [open, setOpen] = useState(false);
  if (!may) return null;
  return (
    <>
      <Button onClick={() => setOpen(true)}>
        {t('lauf_id' in target ? 'eingriffe.hand.run' : 'eingriffe.hand.agent')}
      </Button>
      {open && <HandDialog target={target} onClose={() => setOpen(false)} />}
    </>
  );
}
