import { regeln } from '#contracts';
import { route } from '#http/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import { listRules } from '../service.ts';

export const regelnRoute = (context: ServiceContext) =>
  route(regeln, ({ principal, query }) => listRules(context, principal.mandant, query));
