import { benutzerListe } from '#contracts';
import { type Route, route } from '#http/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import { listUsers } from '../service/liste.ts';

export const benutzerListeRoute = (context: ServiceContext): Route =>
  route(benutzerListe, ({ principal, query }) => listUsers(context, principal.mandant, query));
