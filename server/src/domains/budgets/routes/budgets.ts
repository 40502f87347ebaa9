import { budgets } from '#contracts';
import { route } from '#http/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import { readBudgetList } from '../service/liste.ts';

export const budgetsRoute = (context: ServiceContext) =>
  route(budgets, ({ principal, query }) => readBudgetList(context, principal.mandant, query));
