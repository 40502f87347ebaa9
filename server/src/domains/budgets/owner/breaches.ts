/** What the rules about budgets find, and which budgets act by themselves. Runs as the owner, in whatever transaction records it. */
import type pg from 'pg';
import type { Candidate } from '#domains/befunde/index.ts';
import type { RegelVon } from '#domains/regeln/index.ts';
import { costsSince } from '#domains/verbrauch/index.ts';
import { eurFrom } from '#kernel/money.ts';
import { askAsOwner } from '#platform/database/index.ts';
import {
  actsByItself,
  type Budget,
  type BudgetRule,
  candidatesOf,
  DEPTHS,
  holdsFor,
  isBudgetRule,
} from '../found.ts';
import { type Month, monthOf } from '../month.ts';
import type { Spend } from '../rules.ts';
import { ARTEN, type Art, type CostsOf, type Depth, readSpend } from '../spend.ts';
import { type BudgetRow, readBudgets, readZones } from './budgets.ts';

export interface Asked {
  mandant: string;
  budgets: BudgetRow[];
  /** Its active rules; others than those about budgets are left alone. */
  rules: RegelVon[];
  /** Only these objects, by key: those that something was spent on. All when left out. */
  changed?: Partial<Record<Art, ReadonlySet<string>>>;
}

/** A budget with the rules that are to look at it: none where it acts by itself alone. */
interface Task {
  budget: Budget;
  rules: BudgetRule[];
}

const DEEPER: readonly Depth[] = ['month', 'day', 'windows'];

const toBudget = ({ art, objekt, name, budget_eur, bei_erreichen }: BudgetRow): Budget => ({
  art,
  objekt,
  name,
  budget: eurFrom(budget_eur),
  beiErreichen: bei_erreichen,
});

/** Whether the budget is what it was: somebody may have set another one meanwhile. */
async function isStill(client: Pick<pg.ClientBase, 'query'>, mandant: string, of: Budget): Promise<boolean> {
  const now = (await readBudgets(client, [mandant])).get(mandant) ?? [];
  return now
    .map(toBudget)
    .some(
      ({ art, objekt, budget, beiErreichen }) =>
        art === of.art && objekt === of.objekt && budget === of.budget && beiErreichen === of.beiErreichen,
    );
}

/** Which budgets are to be looked at, by which rules. */
function tasksOf({ rules, changed, budgets }: Asked): Task[] {
  const own = rules.filter(isBudgetRule);
  return budgets
    .filter(({ art, objekt }) => !changed || changed[art]?.has(objekt))
    .map(toBudget)
    .map((budget) => ({ budget, rules: own.filter((rule) => holdsFor(rule, budget)) }))
    .filter(({ budget, rules: holding }) => holding.length > 0 || actsByItself(budget));
}

const asOwner = (client: Pick<pg.ClientBase, 'query'>): CostsOf => {
  const ask = askAsOwner(client);
  return { ask, costs: (question) => costsSince(ask, question) };
};

async function spendOf(
  client: Pick<pg.ClientBase, 'query'>,
  mandant: string,
  tasks: Task[],
  month: Month,
): Promise<Map<Art, Map<string, Spend | null>>> {
  const spend = new Map<Art, Map<string, Spend | null>>();
  for (const art of ARTEN) {
    const own = tasks.filter(({ budget }) => budget.art === art);
    const keys = own.map(({ budget }) => budget.objekt);
    const rules = own.flatMap((task) => task.rules);
    const depth = DEEPER.findLast((each) => rules.some(({ typ }) => DEPTHS[typ] === each)) ?? 'month';
    if (keys.length > 0) spend.set(art, await readSpend(asOwner(client), mandant, art, keys, month, depth));
  }
  return spend;
}

/**
 * Which budgets are spent, or about to be, by the rules of these Mandanten or by themselves; a Mandant of which nothing is found is
 * not in it. Reads for each Mandant with budgets to look at up to three statements a kind, about those alone. On a cluster for one
 * Mandant at a time.
 */
export async function findBudgetBreaches(
  client: Pick<pg.ClientBase, 'query'>,
  asked: Asked[],
  now: Date,
): Promise<{ mandant: string; candidates: Candidate[] }[]> {
  const due = asked
    .map((each) => ({ mandant: each.mandant, tasks: tasksOf(each) }))
    .filter(({ tasks }) => tasks.length > 0);
  if (due.length === 0) return [];
  const zones = await readZones(
    client,
    due.map(({ mandant }) => mandant),
  );
  const instant = Temporal.Instant.fromEpochMilliseconds(now.getTime());
  const found: { mandant: string; candidates: Candidate[] }[] = [];
  for (const { mandant, tasks } of due) {
    const zone = zones.get(mandant);
    if (zone === undefined) continue;
    const month = monthOf(instant, zone);
    const spend = await spendOf(client, mandant, tasks, month);
    const candidates = tasks.flatMap(({ budget, rules }) => {
      // Of what has no running sums nothing is known.
      const own = spend.get(budget.art)?.get(budget.objekt);
      const breaches = own ? candidatesOf(rules, budget, own, month) : [];
      return breaches.map((candidate) => ({ ...candidate, gilt: () => isStill(client, mandant, budget) }));
    });
    if (candidates.length > 0) found.push({ mandant, candidates });
  }
  return found;
}
