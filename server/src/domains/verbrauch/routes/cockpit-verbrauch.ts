import { cockpitVerbrauch } from '#contracts';
import { route } from '#http/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import { verbrauch } from '../service/verbrauch.ts';

export const cockpitVerbrauchRoute = (context: ServiceContext) =>
  route(cockpitVerbrauch, ({ principal, query }) => verbrauch(context, principal.mandant, query));
