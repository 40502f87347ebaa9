import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../api/call.ts';
import type { Antrag } from '../../api/types.ts';
import { useErrorText } from '../../api/use-error-text.ts';
import { TextAreaField, TextField } from '../../ui/field.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { toast } from '../../ui/toast.tsx';

interface Props {
  of: Antrag;
  granting: boolean;
  onClose: () => void;
}

/** What is said of the decision, and how it is sent. */
function useDecision({ of, granting, onClose }: Props) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const [betrag, setBetrag] = useState(of.wunsch_eur ?? '');
  const [antwort, setAntwort] = useState('');
  const decide = useMutation({
    mutationFn: () =>
      call('antragEntscheiden', {
        params: { antrag_id: of.antrag_id },
        body: {
          gewaehrt: granting,
          ...(granting && of.wunsch_eur !== null ? { betrag_eur: betrag.replace(',', '.') } : {}),
          ...(antwort.trim() ? { antwort: antwort.trim() } : {}),
        },
      }),
    onSuccess: () => {
      client.invalidateQueries();
      toast(t(granting ? 'antraege.grantedNote' : 'antraege.declinedNote'));
      onClose();
    },
  });
  return { betrag, setBetrag, antwort, setAntwort, decide };
}

/** Asks how a request is granted or declined. */
export function DecideDialog(props: Props) {
  const { of, granting, onClose } = props;
  const { t } = useTranslation();
  const { sentence, fieldError } = useErrorText();
  const { betrag, setBetrag, antwort, setAntwort, decide } = useDecision(props);
  const word = granting ? 'grant' : 'decline';
  return (
    <FormDialog
      title={t(`antraege.${word}Title`)}
      description={`${t(`antraege.art.${of.art}`, { name: of.bezeichnung })}. ${t(`antraege.${word}Text`)}`}
      confirm={t(`antraege.${word}`)}
      error={decide.error ? sentence(decide.error) : undefined}
      busy={decide.isPending}
      onSubmit={() => decide.mutate()}
      onClose={onClose}
    >
      {granting && of.wunsch_eur !== null && (
        <TextField
          label={t('antraege.amount')}
          value={betrag}
          inputMode="decimal"
          required
          onChange={(event) => setBetrag(event.target.value)}
          error={fieldError(decide.error, 'betrag_eur')}
        />
      )}
      <TextAreaField
        label={t('antraege.answer')}
        value={antwort}
        maxLength={500}
        onChange={(event) => setAntwort(event.target.value)}
        error={fieldError(decide.error, 'antwort')}
      />
    </FormDialog>
  );
}
