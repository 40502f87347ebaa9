import { lauf } from '#contracts';
import { route } from '#http/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import { runWithEvents } from '../service.ts';

export const laufRoute = ({ db }: ServiceContext) =>
  route(lauf, ({ principal, params, query }) => runWithEvents(db, principal.mandant, params.lauf_id, query));
