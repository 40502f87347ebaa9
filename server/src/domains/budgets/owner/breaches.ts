/** What the rules about budgets find. Runs as the owner, in whatever transaction records it. */
import type pg from 'pg';
import type { Candidate } from '#domains/befunde/index.ts';
import type { RegelVon } from '#domains/regeln/index.ts';
import { eurFrom } from '#kernel/money.ts';
import { askAsOwner } from '#platform/database/index.ts';
import { type Budget, type BudgetRule, candidatesOf, DEPTHS, holdsFor, isBudgetRule } from '../found.ts';
import { type Month, monthOf } from '../month.ts';
import type { Spend } from '../rules.ts';
import { type Art, type Depth, readSpend } from '../spend.ts';
import { type BudgetRow, readBudgets, readZones } from './budgets.ts';

export interface Asked {
  mandant: string;
  /** Its active rules; others than those about budgets are left alone. */
  rules: RegelVon[];
  /** Only these objects, by key: those that something was spent on. All when left out. */
  changed?: Partial<Record<Art, ReadonlySet<string>>>;
}

interface Task {
  regel: BudgetRule;
  budget: Budget;
}

const ARTEN: readonly Art[] = ['agent', 'projekt'];
const DEEPER: readonly Depth[] = ['month', 'day', 'windows'];

const toBudget = ({ art, objekt, budget_eur }: BudgetRow): Budget => ({
  art,
  objekt,
  budget: eurFrom(budget_eur),
});

/** Whether the budget is what it was: somebody may have set another one meanwhile. */
async function isStill(client: Pick<pg.ClientBase, 'query'>, mandant: string, of: Budget): Promise<boolean> {
  const now = (await readBudgets(client, [mandant])).get(mandant) ?? [];
  return now
    .map(toBudget)
    .some(({ art, objekt, budget }) => art === of.art && objekt === of.objekt && budget === of.budget);
}

/** Which rule is to look at which budget. */
function tasksOf({ rules, changed }: Asked, budgets: BudgetRow[]): Task[] {
  const wanted = budgets.filter(({ art, objekt }) => !changed || changed[art]?.has(objekt)).map(toBudget);
  return rules
    .filter(isBudgetRule)
    .flatMap((regel) =>
      wanted.filter((budget) => holdsFor(regel, budget)).map((budget) => ({ regel, budget })),
    );
}

async function spendOf(
  client: Pick<pg.ClientBase, 'query'>,
  mandant: string,
  tasks: Task[],
  month: Month,
): Promise<Record<Art, Map<string, Spend>>> {
  const spend = { agent: new Map<string, Spend>(), projekt: new Map<string, Spend>() };
  for (const art of ARTEN) {
    const own = tasks.filter(({ budget }) => budget.art === art);
    const keys = [...new Set(own.map(({ budget }) => budget.objekt))];
    const depth = DEEPER.findLast((each) => own.some(({ regel }) => DEPTHS[regel.typ] === each)) ?? 'month';
    spend[art] = await readSpend(askAsOwner(client), mandant, art, keys, month, depth);
  }
  return spend;
}

/**
 * Which budgets are spent, or about to be, by the rules of these Mandanten; a Mandant of which nothing is found is not in it. Reads
 * one statement for all budgets, and for each Mandant with budgets to look at up to three for agents and projects each, about
 * those alone. On a cluster for one Mandant at a time.
 */
export async function findBudgetBreaches(
  client: Pick<pg.ClientBase, 'query'>,
  asked: Asked[],
  now: Date,
): Promise<{ mandant: string; candidates: Candidate[] }[]> {
  const ruled = asked.filter(({ rules }) => rules.some(isBudgetRule));
  if (ruled.length === 0) return [];
  const budgets = await readBudgets(
    client,
    ruled.map(({ mandant }) => mandant),
  );
  if (budgets.size === 0) return [];
  const zones = await readZones(client, [...budgets.keys()]);
  const instant = Temporal.Instant.fromEpochMilliseconds(now.getTime());
  const found: { mandant: string; candidates: Candidate[] }[] = [];
  for (const each of ruled) {
    const tasks = tasksOf(each, budgets.get(each.mandant) ?? []);
    const zone = zones.get(each.mandant);
    if (tasks.length === 0 || zone === undefined) continue;
    const month = monthOf(instant, zone);
    const spend = await spendOf(client, each.mandant, tasks, month);
    const candidates = tasks.flatMap(({ regel, budget }) => {
      const own = spend[budget.art].get(budget.objekt);
      const found = own ? candidatesOf(regel, budget, own, month) : [];
      return found.map((candidate) => ({ ...candidate, gilt: () => isStill(client, each.mandant, budget) }));
    });
    if (candidates.length > 0) found.push({ mandant: each.mandant, candidates });
  }
  return found;
}
