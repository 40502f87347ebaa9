import { vorfaelleListe } from '#contracts';
import { route } from '#http/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import { listVorfaelle } from '../service.ts';

export const vorfaelleRoute = (context: ServiceContext) =>
  route(vorfaelleListe, ({ principal, query }) => listVorfaelle(context, principal.mandant, query));
