import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { sumDecimals } from '../../format/decimal.ts';
import type { MoneyColumn } from '../../format/money-column.ts';
import { useFormat } from '../../format/use-format.ts';
import { Badge } from '../../ui/badge.tsx';
import { Money } from '../../ui/money.tsx';
import { tokensOfCall } from '../verbrauch/index.ts';
import { Line } from './line.tsx';
import type { Step } from './steps.ts';

const sumOf = (steps: Step[], read: (event: Step['event']) => number | null) =>
  steps.reduce((sum, step) => sum + (read(step.event) ?? 0), 0);

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

interface RepeatsRowProps {
  steps: Step[];
  amounts: MoneyColumn;
  marked: boolean;
  open: boolean;
  onToggle: () => void;
}

/** Alike calls in a row as one line with their number and sum; pressed, they follow it. */
export function RepeatsRow({ steps, amounts, marked, open, onToggle }: RepeatsRowProps) {
  const format = useFormat();
  // There may be thousands of them, and every scrolling draws the lines again.
  const { parts, cost, latency, tokens } = useMemo(() => {
    const parts = steps.map((step) => step.event.kosten_eur);
    const tokens = format.count(sumOf(steps, (event) => tokensOfCall(event).token));
    return { parts, cost: sumDecimals(parts), latency: sumOf(steps, (event) => event.latenz_ms), tokens };
  }, [steps, format]);
  return (
    <Line
      steps={steps}
      number={`${steps[0]?.number}–${steps.at(-1)?.number}`}
      name={<RepeatsName steps={steps} />}
      marked={marked}
      tokens={tokens}
      latency={latency}
      cost={<Money value={cost} column={amounts} parts={parts} />}
      open={open}
      onToggle={onToggle}
      className="bg-warn-soft/50 hover:bg-warn-soft"
    />
  );
}
