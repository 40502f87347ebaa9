import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Neubepreisung } from '../../api/types.ts';
import { useFormat } from '../../format/use-format.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog, Consequences } from '../../ui/confirm-dialog.tsx';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Progress } from '../../ui/progress.tsx';
import { Difference } from './difference.tsx';
import { partOf } from './state.ts';
import { useEnd, useMayReprice } from './use-repricing.ts';

type Work = Neubepreisung & { status: 'vorschau' | 'laeuft' };

/** Asks before calls are left half priced by the old and half by the new prices. */
function StopDialog({ of, onClose }: { of: Work; onClose: () => void }) {
  const { t } = useTranslation();
  const end = useEnd(of.neubepreisung_id, onClose);
  return (
    <ConfirmDialog
      title={t('neubepreisung.stopTitle')}
      description={t('neubepreisung.stopText')}
      confirm={t('neubepreisung.stop')}
      cancel={t('neubepreisung.goOn')}
      error={end.error}
      busy={end.isPending}
      onConfirm={() => end.mutate()}
      onClose={onClose}
    >
      <Consequences points={[t('neubepreisung.stopKeeps'), t('neubepreisung.stopAgain')]} />
    </ConfirmDialog>
  );
}

/** The way to end it: a preview at once, a change after asking. */
function Stop({ of }: { of: Work }) {
  const { t } = useTranslation();
  const end = useEnd(of.neubepreisung_id);
  const [asking, setAsking] = useState(false);
  const stop = () => (of.status === 'vorschau' ? end.mutate() : setAsking(true));
  return (
    <>
      <Button busy={end.isPending} onClick={stop}>
        {t('neubepreisung.stop')}
      </Button>
      {end.error && <ErrorNotice error={end.error} />}
      {asking && <StopDialog of={of} onClose={() => setAsking(false)} />}
    </>
  );
}

/** What has changed by now, of a change that goes on. */
function SoFar({ of }: { of: Work }) {
  const { t } = useTranslation();
  const format = useFormat();
  return (
    <p className="text-sm">
      {t('neubepreisung.soFar')}: {t('verbrauch.calls', { count: of.geaendert })},{' '}
      <Difference
        value={of.differenz_eur}
        column={format.moneyColumn([of.differenz_eur], { signed: true })}
      />
    </p>
  );
}

/** What is being worked out or changed: how far it has come, and the way to end it. */
export function WorkPanel({ of }: { of: Work }) {
  const { t } = useTranslation();
  const may = useMayReprice();
  const title = t(`neubepreisung.work.${of.status}`);
  return (
    <Panel title={title}>
      <div className="flex max-w-lg flex-col gap-3">
        <Progress label={title} part={partOf(of)} />
        <div className="flex flex-wrap items-center justify-between gap-2">
          <p className="text-sm text-ink-2">
            {t('neubepreisung.read', { read: of.gelesen, all: Math.max(of.ereignisse, of.gelesen) })}
          </p>
          {may && <Stop of={of} />}
        </div>
        {of.status === 'laeuft' && <SoFar of={of} />}
        <p className="text-sm text-ink-3">{t(`neubepreisung.workText.${of.status}`)}</p>
      </div>
    </Panel>
  );
}
