import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ImportEinzeln } from '../../api/types.ts';
import { useFormat } from '../../format/use-format.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog, Consequences } from '../../ui/confirm-dialog.tsx';
import { toast } from '../../ui/toast.tsx';
import { inClosedMonths } from './state.ts';
import { useMayImport, useStep } from './use-import.ts';

function ApplyDialog({ of, onClose }: { of: ImportEinzeln; onClose: () => void }) {
  const { t } = useTranslation();
  const apply = useStep('importAnwenden', of.import_id, onClose);
  const closed = inClosedMonths(of);
  const points = [
    t('importe.applyCalls', { count: of.aufrufe - of.bekannt }),
    ...(of.bekannt > 0 ? [t('importe.applyKnown', { count: of.bekannt })] : []),
    ...(closed > 0 ? [t('importe.applyClosed', { count: closed })] : []),
    t('importe.applyPast'),
    t('importe.applyBack'),
  ];
  return (
    <ConfirmDialog
      title={t('importe.applyTitle')}
      confirm={t('importe.apply')}
      kind="primary"
      error={apply.error}
      busy={apply.isPending}
      onConfirm={() => apply.mutate()}
      onClose={onClose}
    >
      <Consequences points={points} />
    </ConfirmDialog>
  );
}

function UndoDialog({ of, onClose }: { of: ImportEinzeln; onClose: () => void }) {
  const { t } = useTranslation();
  const undo = useStep('importZuruecknehmen', of.import_id, onClose);
  const stays = of.angenommen - of.zuruecknehmbar;
  const points = [
    t('importe.undoCalls', { count: of.zuruecknehmbar }),
    ...(stays > 0 ? [t('importe.undoStays', { count: stays })] : []),
    t('importe.undoAgain'),
  ];
  return (
    <ConfirmDialog
      title={t('importe.undoTitle')}
      confirm={t('importe.undo')}
      error={undo.error}
      busy={undo.isPending}
      onConfirm={() => undo.mutate()}
      onClose={onClose}
    >
      <Consequences points={points} />
    </ConfirmDialog>
  );
}

/** What can be done with a file that is read. */
function ReadyActions({ of, onApply }: { of: ImportEinzeln; onApply: () => void }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const discard = useStep('importVerwerfen', of.import_id, () => {
    toast(t('importe.discarded'));
    void navigate({ to: '/anbindung/importe' });
  });
  return (
    <>
      <Button kind="quiet" busy={discard.isPending} onClick={() => discard.mutate()}>
        {t('neubepreisung.discard')}
      </Button>
      {of.status === 'bereit' && of.aufrufe > 0 && (
        <Button kind="primary" onClick={onApply}>
          {t('importe.apply')}
        </Button>
      )}
    </>
  );
}

/** What can be done with an import, by those who may. */
export function Actions({ of }: { of: ImportEinzeln }) {
  const { t } = useTranslation();
  const format = useFormat();
  const may = useMayImport();
  const [asking, setAsking] = useState<'apply' | 'undo' | null>(null);
  if (!may) return null;
  const close = () => setAsking(null);
  return (
    <>
      {(of.status === 'bereit' || of.status === 'liest') && (
        <ReadyActions of={of} onApply={() => setAsking('apply')} />
      )}
      {of.zuruecknehmbar > 0 && (
        <Button title={format.count(of.zuruecknehmbar)} onClick={() => setAsking('undo')}>
          {t('importe.undo')}
        </Button>
      )}
      {asking === 'apply' && <ApplyDialog of={of} onClose={close} />}
      {asking === 'undo' && <UndoDialog of={of} onClose={close} />}
    </>
  );
}
