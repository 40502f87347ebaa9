import { befundeListe } from '#contracts';
import { route } from '#http/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import { listBefunde } from '../service.ts';

export const befundeRoute = (context: ServiceContext) =>
  route(befundeListe, ({ principal, query }) => listBefunde(context, principal.mandant, query));
