import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Abrechnungsmonat } from '../../api/types.ts';
import { compareDecimal } from '../../format/decimal.ts';
import { useFormat } from '../../format/use-format.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog, Consequences } from '../../ui/confirm-dialog.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { useChange } from './use-customers.ts';
import { useMonthState } from './use-month.ts';

/** What closing fixes, point by point. */
function usePoints(): (of: Abrechnungsmonat, leavesOpen: boolean) => string[] {
  const { t } = useTranslation();
  const format = useFormat();
  return (of, leavesOpen) => [
    t('weiterbelastung.closePoints.sum', {
      count: of.endkunden,
      charge: format.money(of.betrag_eur),
      cost: format.money(of.kosten_eur),
    }),
    ...(compareDecimal(of.korrekturen_eur, '0') === 0
      ? []
      : [t('weiterbelastung.closePoints.corrections', { amount: format.money(of.korrekturen_eur) })]),
    ...(of.unbepreist === 0 ? [] : [t('weiterbelastung.unpriced', { count: of.unbepreist })]),
    t('weiterbelastung.closePoints.late'),
    ...(leavesOpen ? [t('weiterbelastung.closePoints.before')] : []),
  ];
}

function CloseDialog({ month, onClose }: { month: string; onClose: () => void }) {
  const { t } = useTranslation();
  const format = useFormat();
  const pointsOf = usePoints();
  const { of, leavesOpen, error } = useMonthState(month, true);
  const name = format.day(`${month}-01`, 'monthLong');
  const close = useChange('monatAbschliessen', t('weiterbelastung.closeDone', { month: name }), onClose);
  return (
    <ConfirmDialog
      title={t('weiterbelastung.closeTitle', { month: name })}
      description={t('weiterbelastung.closeText')}
      confirm={t('weiterbelastung.closeConfirm')}
      error={close.error ?? error}
      busy={close.isPending || of === undefined}
      onConfirm={() => close.mutate({ body: { monat: month } })}
      onClose={onClose}
    >
      {of ? <Consequences points={pointsOf(of, leavesOpen)} /> : <Skeleton lines={3} height="h-5" />}
    </ConfirmDialog>
  );
}

interface CloseButtonProps {
  month: string;
  label?: string;
}

/** Closes a month, after naming what becomes final. */
export function CloseButton({ month, label }: CloseButtonProps) {
  const { t } = useTranslation();
  const [asking, setAsking] = useState(false);
  return (
    <>
      <Button kind={label === undefined ? 'primary' : 'plain'} onClick={() => setAsking(true)}>
        {label ?? t('weiterbelastung.close')}
      </Button>
      {asking && <CloseDialog month={month} onClose={() => setAsking(false)} />}
    </>
  );
}
