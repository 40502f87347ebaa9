import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Befund, Vermieden } from '../../api/types.ts';
import { useFormat } from '../../format/use-format.ts';
import { Figure, FigureRow } from '../../ui/figure.tsx';
import { Term } from '../../ui/term.tsx';

interface FindingMoneyProps {
  of: Befund;
  /** Null where nothing was stopped. */
  vermieden: Vermieden | null;
}

/** A figure with the explanation of its name. */
function Explained({ term, children }: { term: 'verbrannt' | 'potential'; children: ReactNode }) {
  return (
    <div className="relative">
      {children}
      <Term of={term} className="absolute top-2 right-2" />
    </div>
  );
}

/** What it cost, what of it is burnt, what could be saved, and what stopping it avoided; only what is known or was done. */
export function FindingMoney({ of, vermieden }: FindingMoneyProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const { kosten_eur, verbrannt_eur, potential_eur } = of;
  if (kosten_eur === null && verbrannt_eur === null && potential_eur === null && vermieden === null)
    return null;
  const amount = (value: string | null) => ({ value: format.money(value), title: format.moneyExact(value) });
  return (
    <FigureRow>
      <Figure label={t('befunde.cost')} {...amount(kosten_eur)} />
      <Explained term="verbrannt">
        <Figure
          label={t('verbrauch.measure.verbrannt')}
          {...amount(verbrannt_eur)}
          tone={Number(verbrannt_eur ?? 0) > 0 ? 'harm' : 'neutral'}
        />
      </Explained>
      {potential_eur !== null && (
        <Explained term="potential">
          <Figure label={t('befunde.potential')} {...amount(potential_eur)} />
        </Explained>
      )}
      {vermieden && <Avoided of={vermieden} />}
    </FigureRow>
  );
}

/** The estimate, with the rule it was made by. */
function Avoided({ of: { eur, weitere, faelle } }: { of: Vermieden }) {
  const { t } = useTranslation();
  const format = useFormat();
  const rule = () => {
    if (weitere === null) return t('befunde.avoidedFew', { count: faelle });
    if (eur === null) return t('befunde.avoidedUnpriced', { count: weitere, faelle });
    return weitere === 0
      ? t('befunde.avoidedNone', { faelle })
      : t('befunde.avoidedRule', { count: weitere, faelle });
  };
  return (
    <Figure
      label={t('befunde.avoided')}
      value={eur === null ? t('befunde.avoidedUnknown') : format.money(eur)}
      title={eur === null ? undefined : format.moneyExact(eur)}
      note={rule()}
    />
  );
}
