import { anbindungPruefen } from '#contracts';
import { type Route, route } from '#http/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import { checkConnection } from '../service.ts';

export const pruefenRoute = (context: ServiceContext): Route =>
  route(anbindungPruefen, ({ principal }) => checkConnection(context, principal));
