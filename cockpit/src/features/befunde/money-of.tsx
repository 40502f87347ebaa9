import { useTranslation } from 'react-i18next';
import type { Befund } from '../../api/types.ts';
import { Money } from '../../ui/money.tsx';

const isSome = (amount: string | null) => amount !== null && Number(amount) > 0;

/** The money behind a finding: cost, the burnt part of it, and apart from both what could be saved. */
export function MoneyOf({ of }: { of: Pick<Befund, 'kosten_eur' | 'verbrannt_eur' | 'potential_eur'> }) {
  const { t } = useTranslation();
  const parts = [
    { label: t('befunde.cost'), value: of.kosten_eur, className: 'text-ink' },
    { label: t('befunde.burnt'), value: of.verbrannt_eur, className: 'font-medium text-harm' },
    { label: t('befunde.potential'), value: of.potential_eur, className: 'text-ink' },
  ].filter(({ value }) => isSome(value));
  return (
    <dl className="flex flex-wrap gap-x-4 gap-y-0.5 text-xs text-ink-3">
      {parts.map(({ label, value, className }) => (
        <div key={label} className="flex gap-1">
          <dt>{label}</dt>
          <dd>
            <Money className={className} value={value} />
          </dd>
        </div>
      ))}
    </dl>
  );
}
