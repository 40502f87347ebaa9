import { abrechnungenVersand } from '#contracts';
import { type Route, route } from '#http/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import { readMailings } from '../service/mailing.ts';

export const abrechnungenVersandRoute = (context: ServiceContext): Route =>
  route(abrechnungenVersand, ({ principal, query }) => readMailings(context, principal.mandant, query));
