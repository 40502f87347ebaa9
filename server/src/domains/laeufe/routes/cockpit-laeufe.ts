import { cockpitLaeufe } from '#contracts';
import { route } from '#http/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import { listRuns } from '../service.ts';

export const cockpitLaeufeRoute = ({ db }: ServiceContext) =>
  route(cockpitLaeufe, ({ principal, query }) => listRuns(db, principal.mandant, query));
