import { budgetProjekt } from '#contracts';
import { akteurOf } from '#domains/protokoll/index.ts';
import { route } from '#http/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import { setBudgetOfProject } from '../service/setzen.ts';

export const budgetProjektRoute = (context: ServiceContext) =>
  route(budgetProjekt, (call) =>
    setBudgetOfProject(context, call.principal.mandant, akteurOf(call), call.params.projekt_id, call.body),
  );
