import { abgleich } from '#contracts';
import { type Route, route } from '#http/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import { readAbgleich } from '../service/abgleich.ts';

export const abgleichRoute = (context: ServiceContext): Route =>
  route(abgleich, ({ principal, query }) => readAbgleich(context, principal.mandant, query));
