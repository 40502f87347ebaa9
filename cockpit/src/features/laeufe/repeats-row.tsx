import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { sumDecimals } from '../../format/decimal.ts';
import type { MoneyColumn } from '../../format/money-column.ts';
import { useFormat } from '../../format/use-format.ts';
import { Badge } from '../../ui/badge.tsx';
import { Money } from '../../ui/money.tsx';
import { Line } from './line.tsx';
import { StepRow } from './step-row.tsx';
import type { Step } from './steps.ts';

const sumOf = (steps: Step[], field: 'latenz_ms' | 'eingabe_token' | 'ausgabe_token') =>
  steps.reduce((sum, step) => sum + (step.event[field] ?? 0), 0);

function RepeatsName({ steps }: { steps: Step[] }) {
  const { t } = useTranslation();
  const model = steps[0]?.event.modell ?? t('verbrauch.noModel');
  return (
    <>
      <span className="truncate font-medium" title={model}>
        {model}
      </span>
      <Badge tone="warn">{t('laeufe.repeats', { count: steps.length })}</Badge>
    </>
  );
}

/** Alike calls in a row as one line with their number and sum; pressed, it shows them all. */
export function RepeatsRow({ steps, amounts }: { steps: Step[]; amounts: MoneyColumn }) {
  const format = useFormat();
  const [open, setOpen] = useState(false);
  const list = useId();
  const parts = steps.map((step) => step.event.kosten_eur);
  const tokens = `${format.count(sumOf(steps, 'eingabe_token'))} → ${format.count(sumOf(steps, 'ausgabe_token'))}`;
  return (
    <li className="border-b last:border-b-0">
      <Line
        steps={steps}
        number={`${steps[0]?.number}–${steps.at(-1)?.number}`}
        name={<RepeatsName steps={steps} />}
        tokens={tokens}
        latency={sumOf(steps, 'latenz_ms')}
        cost={<Money value={sumDecimals(parts)} column={amounts} parts={parts} />}
        open={open}
        onToggle={() => setOpen(!open)}
        controls={list}
        className="bg-warn-soft/50 hover:bg-warn-soft"
      />
      {open && (
        <ol id={list} className="border-t border-l-2 border-l-warn">
          {steps.map((step) => (
            <StepRow key={step.event.ereignis_id} step={step} amounts={amounts} />
          ))}
        </ol>
      )}
    </li>
  );
}
