import { laeufeListe } from '#contracts';
import { route } from '#http/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import { listRuns } from '../service.ts';

export const laeufeListeRoute = ({ db }: ServiceContext) =>
  route(laeufeListe, ({ principal, query }) => listRuns(db, principal.mandant, query));
