/** How all budgets stand, in short. */

import { completeCostsSince, type Snapshot } from '#domains/verbrauch/index.ts';
import { eurFrom, eurText } from '#kernel/money.ts';
import { askInRequest } from '#platform/database/index.ts';
import { type Month, monthOf } from '../month.ts';
import { forecastText, isReached, percentOf } from '../rules.ts';
import { ARTEN, type CostsOf, readSpend } from '../spend.ts';
import { type ListedBudget, listBudgets } from '../store.ts';

/** A budget and what was spent of it; amounts in EUR as exact decimals. */
export interface BudgetStand extends ListedBudget {
  verbraucht_eur: string;
  /** Rounded down to two decimals; null of a budget of 0. */
  anteil_prozent: string | null;
  /** To the cent, rounded down. */
  prognose_eur: string;
  ueberschritten: boolean;
}

/** More budgets than these nobody reads. */
const MOST = 2_000;

/** Costs as somebody asks for them who looks at them: of every value. */
export const asAsked = (source: Snapshot): CostsOf => ({
  ask: askInRequest(source.tx),
  costs: (question) => completeCostsSince(source, question),
});

/** The budgets of the Mandant in a month, by kind and key; the first 2,000. */
export async function readStandsIn(snapshot: Snapshot, month: Month): Promise<BudgetStand[]> {
  const { tx } = snapshot;
  const listed = await listBudgets(tx, { limit: MOST, after: null });
  const spend = new Map<string, Awaited<ReturnType<typeof readSpend>>>();
  for (const art of ARTEN) {
    const keys = listed.filter(({ objekt_art }) => objekt_art === art).map(({ schluessel }) => schluessel);
    spend.set(art, await readSpend(asAsked(snapshot), tx.mandant, art, keys, month, 'day'));
  }
  return listed.flatMap((row): BudgetStand[] => {
    const own = spend.get(row.objekt_art)?.get(row.schluessel);
    if (!own) return [];
    const budget = eurFrom(row.budget_eur);
    return [
      {
        ...row,
        verbraucht_eur: eurText(own.month),
        anteil_prozent: percentOf(own.month, budget),
        prognose_eur: forecastText(own, month),
        ueberschritten: isReached(own.month, budget, 100),
      },
    ];
  });
}

/** The same in the month of the snapshot's moment. */
export async function readBudgetStands(
  snapshot: Snapshot,
): Promise<{ monat: string; budgets: BudgetStand[] }> {
  const month = monthOf(snapshot.now, snapshot.zone);
  return { monat: month.name, budgets: await readStandsIn(snapshot, month) };
}
