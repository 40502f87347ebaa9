import { kontoLesen } from '#contracts';
import { type Route, route } from '#http/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import { readAccount } from '../service/konto.ts';

export const kontoLesenRoute = (context: ServiceContext): Route =>
  route(kontoLesen, ({ principal, query }) => readAccount(context, principal, query));
