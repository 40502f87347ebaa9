/** Budgets: what may be spent in a month, and what is found, and done, when it is more. */
import type { Route } from '#http/index.ts';
import type { Job } from '#jobs/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import { pruefenJobs } from './jobs/pruefen.ts';
import type { CheckContext } from './owner/check.ts';
import { budgetAgentRoute } from './routes/budget-agent.ts';
import { budgetProjektRoute } from './routes/budget-projekt.ts';
import { budgetSetzenRoute } from './routes/budget-setzen.ts';
import { budgetsRoute } from './routes/budgets.ts';
import { budgetsPruefenRoute } from './routes/budgets-pruefen.ts';
import { kostenprognoseRoute } from './routes/kostenprognose.ts';

export { BUDGET_CHECK } from './jobs/pruefen.ts';
export { findBudgetBreaches } from './owner/breaches.ts';
export { askForBudgets, type BudgetRow, readBudgets } from './owner/budgets.ts';
export {
  setBudgetOfAgentWithin,
  setBudgetOfNamedWithin,
  setBudgetOfProjectWithin,
} from './service/setzen.ts';
export { type BudgetStand, readBudgetStands } from './service/stand.ts';
export { findBudget, listBudgets } from './store.ts';

export const budgetsRoutes = (context: ServiceContext): Route[] => [
  budgetsRoute(context),
  budgetAgentRoute(context),
  budgetProjektRoute(context),
  budgetSetzenRoute(context),
  budgetsPruefenRoute(context),
  kostenprognoseRoute(context),
];

export const budgetsJobs = (context: CheckContext): Job[] => pruefenJobs(context);
