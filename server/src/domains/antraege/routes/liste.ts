import { antraege } from '#contracts';
import { route } from '#http/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import { listAntraege } from '../service.ts';

export const antraegeRoute = (context: ServiceContext) =>
  route(antraege, ({ principal, query }) => listAntraege(context, principal.mandant, query));
