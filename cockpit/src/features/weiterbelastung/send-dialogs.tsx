import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Versendung } from '../../api/types.ts';
import { useFormat } from '../../format/use-format.ts';
import { ConfirmDialog, Consequences } from '../../ui/confirm-dialog.tsx';
import { Notice } from '../../ui/notice.tsx';
import { toast } from '../../ui/toast.tsx';
import { type Outlook, useSend } from './use-mailings.ts';

interface SendAllProps {
  month: string;
  outlook: Outlook;
  onClose: () => void;
}

/** Asks before mails go to all that have not got their statement, and says how many. */
export function SendAllDialog({ month, outlook, onClose }: SendAllProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const { versendet, ohne_adresse, schon_versendet, abgemeldet, zurueckgestellt } = outlook;
  const { error, isPending, mutate } = useSend((sent) => {
    toast(t('weiterbelastung.mail.sent', { count: sent.versendet }));
    onClose();
  });
  const points = [
    t('weiterbelastung.mail.points.go', { count: versendet }),
    ...(schon_versendet > 0 ? [t('weiterbelastung.mail.points.had', { count: schon_versendet })] : []),
    ...(abgemeldet > 0 ? [t('weiterbelastung.mail.points.stopped', { count: abgemeldet })] : []),
    ...(zurueckgestellt > 0 ? [t('weiterbelastung.mail.points.later', { count: zurueckgestellt })] : []),
    ...(ohne_adresse > 0 ? [t('weiterbelastung.mail.points.without', { count: ohne_adresse })] : []),
  ];
  return (
    <ConfirmDialog
      title={t('weiterbelastung.mail.confirmTitle', { month: format.day(`${month}-01`, 'monthLong') })}
      description={t('weiterbelastung.mail.confirmText')}
      confirm={t('weiterbelastung.mail.confirm', { count: versendet })}
      kind="primary"
      error={error}
      busy={isPending}
      onConfirm={() => mutate({ monat: month })}
      onClose={onClose}
    >
      <Consequences points={points} />
    </ConfirmDialog>
  );
}

/** Sends one statement again, to the address its end customer has today. */
export function AgainDialog({ of, onClose }: { of: Versendung; onClose: () => void }) {
  const { t } = useTranslation();
  const format = useFormat();
  const [refused, setRefused] = useState<'noAddress' | 'noMail' | 'noReceiver' | null>(null);
  const { error, isPending, mutate } = useSend((sent) => {
    if (sent.abgemeldet > 0) return setRefused('noMail');
    if (sent.versendet === 0) return setRefused(sent.ohne_adresse > 0 ? 'noAddress' : 'noReceiver');
    toast(t('weiterbelastung.mail.sent', { count: sent.versendet }));
    onClose();
  });
  const month = format.day(`${of.monat}-01`, 'monthLong');
  return (
    <ConfirmDialog
      title={t('weiterbelastung.mail.againTitle')}
      description={t('weiterbelastung.mail.againText', { month, reference: of.referenz })}
      confirm={t('weiterbelastung.mail.again')}
      kind="primary"
      error={error}
      busy={isPending}
      onConfirm={() => mutate({ monat: of.monat, referenz: of.referenz, erneut: true })}
      onClose={onClose}
    >
      {refused && (
        <Notice tone="warn" live>
          {t(`weiterbelastung.mail.${refused}`)}
        </Notice>
      )}
    </ConfirmDialog>
  );
}
