import { cockpitUebersicht } from '#contracts';
import { route } from '#http/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import { overview } from '../service/cockpit.ts';

export const cockpitUebersichtRoute = (context: ServiceContext) =>
  route(cockpitUebersicht, ({ principal, query }) => overview(context, principal.mandant, query));
