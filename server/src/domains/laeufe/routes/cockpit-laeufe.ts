import { cockpitLaeufe } from '#contracts';
import { route } from '#http/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import { listRuns } from '../service.ts';

export const cockpitLaeufeRoute = ({ db }: ServiceContext) =>
  route(cockpitLaeufe, async ({ principal, query }) => ({
    laeufe: await listRuns(db, principal.mandant, {
      agentId: query.agent_id,
      status: query.status,
      nurFehler: query.nur_fehler,
      limit: query.limit,
    }),
  }));
