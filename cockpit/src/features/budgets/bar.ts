/** How a budget is drawn: parts of a bar that holds whatever is more, the budget or what is expected. */
import type { Budget } from '../../api/types.ts';

export interface Bar {
  /** All as parts of the bar, 0 to 1. */
  spent: number;
  forecast: number;
  budget: number;
  thresholds: { prozent: number; at: number; reached: boolean }[];
  state: 'over' | 'willExceed' | 'inTime';
}

type Figures = Pick<Budget, 'budget_eur' | 'verbraucht_eur' | 'prognose_eur' | 'schwellen'>;

/** Amounts become floats here, for drawing alone. */
export function barOf({ budget_eur, verbraucht_eur, prognose_eur, schwellen }: Figures): Bar {
  const [budget, spent, forecast] = [budget_eur, verbraucht_eur, prognose_eur].map(Number) as [
    number,
    number,
    number,
  ];
  const whole = Math.max(budget, spent, forecast) || 1;
  return {
    spent: spent / whole,
    forecast: Math.max(forecast, spent) / whole,
    budget: budget / whole,
    thresholds: schwellen
      .map(({ prozent, erreicht_am }) => ({
        prozent,
        at: (budget * prozent) / 100 / whole,
        reached: erreicht_am !== null,
      }))
      .filter(({ at }) => at <= 1),
    state: spent > budget ? 'over' : forecast > budget ? 'willExceed' : 'inTime',
  };
}
