import { schluesselAnlegen } from '#contracts';
import { type Route, route } from '#http/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import { createKey } from '../service.ts';

export const schluesselAnlegenRoute = (context: ServiceContext): Route =>
  route(schluesselAnlegen, ({ principal, body }) => createKey(context, principal.mandant, body));
