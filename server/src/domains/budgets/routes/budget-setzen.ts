import { budgetSetzen } from '#contracts';
import { akteurOf } from '#domains/protokoll/index.ts';
import { route } from '#http/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import { setBudgetOf } from '../service/setzen.ts';

export const budgetSetzenRoute = (context: ServiceContext) =>
  route(budgetSetzen, (call) => setBudgetOf(context, call.principal.mandant, akteurOf(call), call.body));
