import { budgetsPruefen } from '#contracts';
import { route } from '#http/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import { checkNow } from '../service/pruefen.ts';

export const budgetsPruefenRoute = (context: ServiceContext) =>
  route(budgetsPruefen, ({ principal }) => checkNow(context, principal.mandant));
