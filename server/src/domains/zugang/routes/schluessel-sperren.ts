import { schluesselSperren } from '#contracts';
import { type Route, route } from '#http/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import { blockKey } from '../service.ts';

export const schluesselSperrenRoute = (context: ServiceContext): Route =>
  route(schluesselSperren, ({ principal, params }) =>
    blockKey(context, principal.mandant, params.schluessel_id),
  );
