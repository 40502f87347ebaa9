import { befund } from '#contracts';
import { route } from '#http/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import { showBefund } from '../service.ts';

export const befundRoute = (context: ServiceContext) =>
  route(befund, ({ principal, params }) => showBefund(context, principal.mandant, params.befund_id));
