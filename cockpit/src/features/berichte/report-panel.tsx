import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { call } from '../../api/call.ts';
import { berichtaboQuery } from '../../api/queries.ts';
import { routes } from '../../api/routes.ts';
import { useHasNoMail } from '../../api/use-mailweg.ts';
import { linkClass } from '../../ui/button.tsx';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { CheckField } from '../../ui/field.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Panel } from '../../ui/panel.tsx';
import { toast } from '../../ui/toast.tsx';

function WeeklySwitch({ email, isOn }: { email: string; isOn: boolean }) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const hasNoMail = useHasNoMail();
  const { error, isPending, mutate } = useMutation({
    mutationFn: (wochenbericht: boolean) => call('berichtaboSetzen', { body: { wochenbericht } }),
    onSuccess: (abo) => {
      client.setQueryData(berichtaboQuery.queryKey, abo);
      toast(t(abo.wochenbericht ? (hasNoMail ? 'berichte.onNoMail' : 'berichte.on') : 'berichte.off'));
    },
  });
  return (
    <>
      <CheckField
        label={t('berichte.weekly')}
        hint={hasNoMail ? t('berichte.weeklyNoMail') : t('berichte.weeklyHint', { email })}
        checked={isOn}
        disabled={isPending}
        onChange={({ target }) => mutate(target.checked)}
      />
      {error && <ErrorNotice error={error} />}
    </>
  );
}

/** Whether the weekly report comes by mail, and the latest one in a tab of its own. */
export function ReportPanel({ email }: { email: string }) {
  const { t } = useTranslation();
  const outside = { target: '_blank', rel: 'noopener', className: linkClass };
  return (
    <Panel title={t('berichte.title')}>
      <Loaded query={useQuery(berichtaboQuery)} lines={1}>
        {({ wochenbericht }) => <WeeklySwitch email={email} isOn={wochenbericht} />}
      </Loaded>
      <p className="flex flex-wrap items-center gap-x-3 pt-3 text-sm text-ink-2">
        {t('berichte.last')}
        <a href={routes.wochenbericht[1]} {...outside}>
          {t('berichte.open')}
        </a>
        <a href={routes.wochenberichtPdf[1]} {...outside}>
          {t('berichte.pdf')}
        </a>
      </p>
    </Panel>
  );
}
