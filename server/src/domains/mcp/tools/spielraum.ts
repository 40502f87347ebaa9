import { mcpSpielraum } from '#contracts';
import { readBudgetStands } from '#domains/budgets/index.ts';
import { limitsOfCall } from '#domains/reservierungen/index.ts';
import { withSnapshot } from '#domains/verbrauch/index.ts';
import { type Eur, eurFrom, eurText } from '#kernel/money.ts';
import { bindTool } from './tool.ts';

/** Budgets that one answer tells. */
const MOST_BUDGETS = 50;

const leftOf = (budget: string, spent: string): string => {
  const left = eurFrom(budget) - eurFrom(spent);
  return eurText((left > 0n ? left : 0n) as Eur);
};

export const spielraumTool = bindTool(mcpSpielraum, ({ service }, principal, input) =>
  withSnapshot(service, principal.mandant, async (snapshot) => {
    const { monat, budgets } = await readBudgetStands(snapshot);
    const named = new Map<string, string | undefined>([
      ['agent', input.agent],
      ['projekt', input.projekt],
      ['endkunde', input.endkunde_ref],
      ['schluessel', principal.schluesselId],
    ]);
    // Of a kind that was named, the budget of what was named alone.
    const own = budgets.filter(({ objekt_art, schluessel }) => {
      const value = named.get(objekt_art);
      return value === undefined || value === schluessel;
    });
    return {
      monat,
      budgets: own.slice(0, MOST_BUDGETS).map((budget) => ({
        objekt_art: budget.objekt_art,
        objekt: budget.schluessel,
        name: budget.name,
        bei_erreichen: budget.bei_erreichen,
        budget_eur: budget.budget_eur,
        verbraucht_eur: budget.verbraucht_eur,
        rest_eur: leftOf(budget.budget_eur, budget.verbraucht_eur),
        prognose_eur: budget.prognose_eur,
      })),
      weitere_budgets: Math.max(own.length - MOST_BUDGETS, 0),
      grenzen: await limitsOfCall(snapshot, principal, input, snapshot.now.toZonedDateTimeISO(snapshot.zone)),
      gezaehlt_bis: snapshot.gezaehltBis,
    };
  }),
);
