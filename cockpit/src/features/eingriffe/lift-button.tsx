import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../api/call.ts';
import { ichQuery } from '../../api/queries.ts';
import type { Eingriff } from '../../api/types.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { toast } from '../../ui/toast.tsx';
import { useObjectText } from './object-link.tsx';

/** Whether the user may change what protects: rules, findings, interventions. */
export const useMayProtect = () => useQuery(ichQuery).data?.rechte.includes('schutz.aendern') ?? false;

/** Lifts an intervention after asking; nothing for users who may not. */
export function LiftButton({ eingriff }: { eingriff: Eingriff }) {
  const { t } = useTranslation();
  const may = useMayProtect();
  const subject = useObjectText()(eingriff);
  const [asking, setAsking] = useState(false);
  const client = useQueryClient();
  const lift = useMutation({
    mutationFn: () => call('eingriffAufheben', { params: { eingriff_id: eingriff.eingriff_id } }),
    onSuccess: () => {
      client.invalidateQueries();
      toast(t('eingriffe.liftedNote'));
      setAsking(false);
    },
  });
  if (!may) return null;
  return (
    <>
      <Button onClick={() => setAsking(true)}>{t('eingriffe.lift')}</Button>
      {asking && (
        <ConfirmDialog
          title={t('eingriffe.liftTitle')}
          description={
            t('eingriffe.liftText', { subject }) +
            (eingriff.befund_id === null ? '' : ` ${t('eingriffe.liftGrace')}`)
          }
          confirm={t('eingriffe.lift')}
          error={lift.error}
          busy={lift.isPending}
          onConfirm={() => lift.mutate()}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  );
}
