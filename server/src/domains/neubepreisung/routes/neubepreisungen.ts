import { neubepreisungen } from '#contracts';
import { type Route, route } from '#http/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import { readRepricings } from '../service.ts';

export const neubepreisungenRoute = (context: ServiceContext): Route =>
  route(neubepreisungen, ({ principal, query }) => readRepricings(context, principal.mandant, query));
