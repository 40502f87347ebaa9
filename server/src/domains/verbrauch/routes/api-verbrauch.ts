import { apiVerbrauch } from '#contracts';
import { route } from '#http/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import { verbrauch } from '../service/verbrauch.ts';

export const apiVerbrauchRoute = (context: ServiceContext) =>
  route(apiVerbrauch, ({ principal, query }) => verbrauch(context, principal.mandant, query));
