import { endkunden } from '#contracts';
import { type Route, route } from '#http/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import { listEndkunden } from '../service/list.ts';

export const endkundenRoute = (context: ServiceContext): Route =>
  route(endkunden, ({ principal, query }) => listEndkunden(context, principal.mandant, query));
