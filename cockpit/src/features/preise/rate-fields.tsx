import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { BookRateName } from '#contracts/book-rates.ts';
import { TextField } from '../../ui/field.tsx';
import type { PriceDraft } from './draft.ts';
import { RATE_GROUPS, unitOf } from './rates.ts';

interface RateFieldsProps {
  saetze: PriceDraft['saetze'];
  fault: (field: string) => string | undefined;
  onChange: (saetze: PriceDraft['saetze']) => void;
}

function Rate({ name, saetze, fault, onChange }: RateFieldsProps & { name: BookRateName }) {
  const { t } = useTranslation();
  return (
    <TextField
      label={t(`preise.rate.${name}`)}
      hint={t(`preise.unit.${unitOf(name)}`)}
      value={saetze[name]}
      inputMode="decimal"
      autoComplete="off"
      onChange={(event) => onChange({ ...saetze, [name]: event.target.value })}
      error={fault(name)}
    />
  );
}

type Group = (typeof RATE_GROUPS)[number];

/** Rates of a kind; those that are rarely used are folded, unless one is stated or wrong. */
function RateGroup({ group, ...props }: RateFieldsProps & { group: Group }) {
  const { t } = useTranslation();
  const rates: readonly BookRateName[] = group.rates;
  const [unfolded, setUnfolded] = useState(rates.some((name) => props.saetze[name] !== ''));
  const fields = (
    <div className="grid grid-cols-2 items-start gap-3 pt-1">
      {rates.map((name) => (
        <Rate key={name} name={name} {...props} />
      ))}
    </div>
  );
  const name = t(`preise.group.${group.name}`);
  if (!('folded' in group))
    return (
      <fieldset className="min-w-0">
        <legend className="text-xs text-ink-3">{name}</legend>
        {fields}
      </fieldset>
    );
  return (
    <details
      open={unfolded || rates.some((rate) => props.fault(rate) !== undefined)}
      onToggle={(event) => setUnfolded(event.currentTarget.open)}
    >
      <summary className="min-h-6 w-fit rounded-sm py-0.5 text-xs text-ink-2 hover:text-ink">{name}</summary>
      {fields}
    </details>
  );
}

/** What a model costs, by kind. */
export function RateFields(props: RateFieldsProps) {
  const { t } = useTranslation();
  const whole = props.fault('saetze');
  return (
    <fieldset className="flex min-w-0 flex-col gap-3 rounded border p-3">
      <legend className="px-1 text-sm font-medium">{t('preise.own.rates')}</legend>
      <p className="-mt-1 text-xs text-ink-3">{t('preise.own.ratesHint')}</p>
      {RATE_GROUPS.map((group) => (
        <RateGroup key={group.name} group={group} {...props} />
      ))}
      {whole && (
        <p role="alert" className="text-xs text-harm">
          {whole}
        </p>
      )}
    </fieldset>
  );
}
