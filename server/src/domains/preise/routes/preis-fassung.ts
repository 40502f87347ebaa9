import { preisFassung } from '#contracts';
import { type Route, route } from '#http/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import { readBookEdition } from '../service/book.ts';

export const preisFassungRoute = (context: ServiceContext): Route =>
  route(preisFassung, ({ principal, params }) => readBookEdition(context, principal.mandant, params.fassung));
