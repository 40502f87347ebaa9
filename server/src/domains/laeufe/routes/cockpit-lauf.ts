import { cockpitLauf } from '#contracts';
import { route } from '#http/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import { runWithEvents } from '../service.ts';

export const cockpitLaufRoute = ({ db }: ServiceContext) =>
  route(cockpitLauf, ({ principal, params, query }) =>
    runWithEvents(db, principal.mandant, params.lauf_id, query),
  );
