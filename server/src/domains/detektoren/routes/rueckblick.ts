import { rueckblick } from '#contracts';
import { route } from '#http/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import { readLookBack } from '../service/rueckblick.ts';

export const rueckblickRoute = (context: ServiceContext) =>
  route(rueckblick, ({ principal, params }) =>
    readLookBack(context, principal.mandant, params.rueckblick_id),
  );
