import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { codeOf } from '../../api/error.ts';
import type { Neubepreisung } from '../../api/types.ts';
import { useFormat } from '../../format/use-format.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog, Consequences } from '../../ui/confirm-dialog.tsx';
import { toDays } from './days.ts';
import { useUnpricedText } from './figures.tsx';
import { directionOf } from './state.ts';
import { useApply, usePrepare } from './use-repricing.ts';

/** What applying changes, point by point. */
function useConsequences({ geaendert, alt_usd, neu_usd, differenz_eur, unbepreist }: Neubepreisung) {
  const { t } = useTranslation();
  const format = useFormat();
  const unpricedText = useUnpricedText();
  const [old, next] = [format.money(alt_usd, 'USD'), format.money(neu_usd, 'USD')];
  const amount = format.money(differenz_eur.replace('-', ''));
  return [
    t('neubepreisung.applyCalls', { count: geaendert, old, next }),
    t(`neubepreisung.applyMoney.${directionOf(differenz_eur)}`, { amount }),
    ...(unbepreist === 0 ? [] : [`${unpricedText(unbepreist)}.`]),
    t('neubepreisung.applyPast'),
    t('neubepreisung.applyBack'),
  ];
}

function ApplyDialog({ of, onClose }: { of: Neubepreisung; onClose: () => void }) {
  const { t } = useTranslation();
  const format = useFormat();
  const points = useConsequences(of);
  const apply = useApply(of.neubepreisung_id, onClose);
  const prepare = usePrepare();
  const { von, bis } = of;
  const { first, last } = toDays(of);
  // What was looked at is not what would change any more.
  const outdated = codeOf(apply.error) === 'preise_geaendert';
  return (
    <ConfirmDialog
      title={t('neubepreisung.applyTitle')}
      description={t('neubepreisung.applyText', { days: format.days(first, last) })}
      confirm={t(outdated ? 'neubepreisung.again' : 'neubepreisung.apply')}
      kind={outdated ? 'primary' : 'harm'}
      error={prepare.error ?? apply.error}
      busy={apply.isPending || prepare.isPending}
      onConfirm={() => (outdated ? prepare.mutate({ von, bis }) : apply.mutate())}
      onClose={onClose}
    >
      {!outdated && <Consequences points={points} />}
    </ConfirmDialog>
  );
}

/** Applies a preview, after asking. */
export function ApplyButton({ of }: { of: Neubepreisung }) {
  const { t } = useTranslation();
  const [asking, setAsking] = useState(false);
  return (
    <>
      <Button kind="primary" onClick={() => setAsking(true)}>
        {t('neubepreisung.apply')}
      </Button>
      {asking && <ApplyDialog of={of} onClose={() => setAsking(false)} />}
    </>
  );
}
