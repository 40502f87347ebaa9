import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { call } from '../../api/call.ts';
import type { Befund } from '../../api/types.ts';
import { useErrorText } from '../../api/use-error-text.ts';
import { Button } from '../../ui/button.tsx';
import { toast } from '../../ui/toast.tsx';
import { useMayProtect } from '../eingriffe/index.ts';

type Settable = 'offen' | 'erledigt' | 'ignoriert';

/** What may become of a finding; nothing for users who may not change it. What the service has withdrawn stays so. */
export function StatusActions({ of }: { of: Pick<Befund, 'befund_id' | 'status'> }) {
  const { t } = useTranslation();
  const { sentence } = useErrorText();
  const may = useMayProtect();
  const client = useQueryClient();
  const set = useMutation({
    mutationFn: (status: Settable) =>
      call('befundStatus', { params: { befund_id: of.befund_id }, query: { status } }),
    onSuccess: ({ status }) => {
      client.invalidateQueries();
      toast(t('befunde.statusSet', { status: t(`befunde.status.${status}`) }));
    },
    onError: (error) => toast(sentence(error), 'harm'),
  });
  if (!may || of.status === 'hinfaellig') return null;
  const choices: { status: Settable; label: string }[] =
    of.status === 'offen'
      ? [
          { status: 'ignoriert', label: t('befunde.ignore') },
          { status: 'erledigt', label: t('befunde.setDone') },
        ]
      : [{ status: 'offen', label: t('befunde.reopen') }];
  return (
    <div className="flex flex-wrap gap-2">
      {choices.map(({ status, label }) => (
        <Button
          key={status}
          busy={set.isPending && set.variables === status}
          disabled={set.isPending}
          onClick={() => set.mutate(status)}
        >
          {label}
        </Button>
      ))}
    </div>
  );
}
