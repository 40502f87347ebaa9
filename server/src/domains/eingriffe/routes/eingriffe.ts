import { eingriffeListe } from '#contracts';
import { route } from '#http/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import { listEingriffe } from '../service.ts';

export const eingriffeRoute = (context: ServiceContext) =>
  route(eingriffeListe, ({ principal, query }) => listEingriffe(context, principal.mandant, query));
