import { erststart } from '#contracts';
import { type Route, route } from '#http/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import { readChecklist } from '../service.ts';

export const erststartRoute = (context: ServiceContext): Route =>
  route(erststart, ({ principal }) => readChecklist(context, principal.mandant));
