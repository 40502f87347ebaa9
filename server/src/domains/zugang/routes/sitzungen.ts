import { sitzungen } from '#contracts';
import { type Route, route } from '#http/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import { listOwnSessions } from '../service/sitzungen.ts';

export const sitzungenRoute = (context: ServiceContext): Route =>
  route(sitzungen, ({ principal, query }) => listOwnSessions(context, principal, query));
