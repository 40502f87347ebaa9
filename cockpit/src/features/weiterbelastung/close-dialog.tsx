import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { AnswerOf } from '../../api/operations.ts';
import { abschlussprobeQuery } from '../../api/queries.ts';
import { compareDecimal } from '../../format/decimal.ts';
import { useFormat } from '../../format/use-format.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog, Consequences } from '../../ui/confirm-dialog.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { useChange } from './use-customers.ts';

type Rehearsal = AnswerOf<'monatAbschliessen'>;
type Check = NonNullable<Rehearsal['pruefung']>;

/** What is worth knowing of what a month rests on: nothing where there is nothing to say. */
function useWarnings(): (of: Rehearsal, check: Check) => string[] {
  const { t } = useTranslation();
  const format = useFormat();
  return (of, { ersatz_anteil, ohne_namen, ohne_endkunde, offene_monate_davor }) => {
    const counted = (key: string, count: number) =>
      count === 0 ? [] : [t(`weiterbelastung.${key}` as 'weiterbelastung.unpriced', { count })];
    const share = Number(ersatz_anteil ?? '0');
    return [
      ...counted('unpriced', of.unbepreist),
      ...counted('closePoints.partly', of.teilbepreist),
      ...(share > 0 ? [t('weiterbelastung.closePoints.substitute', { share: format.share(share, 1) })] : []),
      ...counted('closePoints.nameless', ohne_namen),
      ...counted('closePoints.without', ohne_endkunde),
      ...counted('closePoints.earlier', offene_monate_davor),
    ];
  };
}

/** What closing fixes, point by point. */
function usePoints(): (of: Rehearsal, check: Check) => string[] {
  const { t } = useTranslation();
  const format = useFormat();
  const warningsOf = useWarnings();
  return (of, check) => [
    t('weiterbelastung.closePoints.sum', {
      count: of.endkunden,
      charge: format.money(of.betrag_eur),
      cost: format.money(of.kosten_eur),
    }),
    ...(compareDecimal(of.korrekturen_eur, '0') === 0
      ? []
      : [t('weiterbelastung.closePoints.corrections', { amount: format.money(of.korrekturen_eur) })]),
    ...warningsOf(of, check),
    t('weiterbelastung.closePoints.late'),
  ];
}

/** Obstacles that the dialog shows; of more it says the number. */
const SHOWN = 20;

/** What cannot be booked: nothing is closed before it is changed. */
function Obstacles({ of }: { of: Check }) {
  const { t, i18n } = useTranslation();
  const shown = of.hindernisse.slice(0, SHOWN);
  const more = of.hindernisse_gesamt - shown.length;
  return (
    <Notice tone="harm">
      <p>{t('weiterbelastung.closePoints.blocked', { count: of.hindernisse_gesamt })}</p>
      <Consequences points={shown.map(({ de, en }) => (i18n.language === 'de' ? de : en))} />
      {more > 0 && <p>{t('weiterbelastung.closePoints.more', { count: more })}</p>}
    </Notice>
  );
}

function CloseDialog({ month, onClose }: { month: string; onClose: () => void }) {
  const { t } = useTranslation();
  const format = useFormat();
  const pointsOf = usePoints();
  const { data: of, error } = useQuery(abschlussprobeQuery(month));
  const check = of?.pruefung;
  const name = format.day(`${month}-01`, 'monthLong');
  const close = useChange('monatAbschliessen', t('weiterbelastung.closeDone', { month: name }), onClose);
  return (
    <ConfirmDialog
      title={t('weiterbelastung.closeTitle', { month: name })}
      description={t('weiterbelastung.closeText')}
      confirm={t('weiterbelastung.closeConfirm')}
      error={close.error ?? error}
      busy={close.isPending || (!of && !error)}
      blocked={!check || check.hindernisse_gesamt > 0}
      onConfirm={() => close.mutate({ body: { monat: month } })}
      onClose={onClose}
    >
      {check && check.hindernisse_gesamt > 0 && <Obstacles of={check} />}
      {of && check && <Consequences points={pointsOf(of, check)} />}
      {!of && !error && <Skeleton lines={3} height="h-5" />}
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
