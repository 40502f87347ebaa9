import { importe } from '#contracts';
import { type Route, route } from '#http/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import { readImports } from '../service.ts';

export const importeRoute = (context: ServiceContext): Route =>
  route(importe, ({ principal, query }) => readImports(context, principal.mandant, query));
