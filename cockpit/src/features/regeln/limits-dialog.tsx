import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../api/call.ts';
import { geldgrenzenQuery } from '../../api/queries.ts';
import type { Geldgrenze } from '../../api/types.ts';
import { useErrorText } from '../../api/use-error-text.ts';
import { readNumber, writeNumber } from '../../format/typed-number.ts';
import { useFormat } from '../../format/use-format.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { toast } from '../../ui/toast.tsx';
import { useMayProtect } from '../eingriffe/index.ts';

type Name = Geldgrenze['grenze'];
const FIELD = { lauf: 'lauf_eur', agent_stunde: 'agent_stunde_eur', tag: 'tag_eur' } as const;

function useSaveLimits(onClose: () => void) {
  const { t } = useTranslation();
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: { [N in (typeof FIELD)[Name]]: string | null }) => call('geldgrenzenSetzen', { body }),
    onSuccess: () => {
      client.invalidateQueries();
      toast(t('regeln.limits.saved'));
      onClose();
    },
  });
}

/** The limits of money as they hold, to be confirmed, changed or emptied. */
function LimitsDialog({ limits, onClose }: { limits: Geldgrenze[]; onClose: () => void }) {
  const { t } = useTranslation();
  const { language, money } = useFormat();
  const { sentence, fieldError } = useErrorText();
  const save = useSaveLimits(onClose);
  const [typed, setTyped] = useState<Record<Name, string>>(
    () =>
      Object.fromEntries(
        limits.map(({ grenze, betrag_eur }) => [grenze, writeNumber(betrag_eur ?? '', language)]),
      ) as Record<Name, string>,
  );
  const amountOf = (name: Name) => readNumber(typed[name], language) || null;
  return (
    <FormDialog
      title={t('regeln.limits.title')}
      description={t('regeln.limits.intro')}
      confirm={t('regeln.limits.confirm')}
      error={save.error ? sentence(save.error) : undefined}
      busy={save.isPending}
      onSubmit={() =>
        save.mutate({
          lauf_eur: amountOf('lauf'),
          agent_stunde_eur: amountOf('agent_stunde'),
          tag_eur: amountOf('tag'),
        })
      }
      onClose={onClose}
    >
      {limits.map(({ grenze, vorschlag_eur, stufe }) => (
        <TextField
          key={grenze}
          label={t(`regeln.limits.${grenze}`)}
          hint={t('regeln.limits.hint', {
            what: t(`regeln.limits.done.${stufe}`),
            proposed: money(vorschlag_eur),
          })}
          value={typed[grenze]}
          inputMode="decimal"
          autoComplete="off"
          onChange={(event) => setTyped({ ...typed, [grenze]: event.target.value })}
          error={fieldError(save.error, FIELD[grenze])}
        />
      ))}
    </FormDialog>
  );
}

/** Opens the limits of money; nothing for users who may not set them. */
export function LimitsButton() {
  const { t } = useTranslation();
  const may = useMayProtect();
  const [open, setOpen] = useState(false);
  const { data } = useQuery({ ...geldgrenzenQuery, enabled: may });
  if (!may || !data) return null;
  return (
    <>
      <Button onClick={() => setOpen(true)}>{t('regeln.limits.open')}</Button>
      {open && <LimitsDialog limits={data.grenzen} onClose={() => setOpen(false)} />}
    </>
  );
}
