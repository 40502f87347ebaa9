import { rueckblickEntfernen } from '#contracts';
import { route } from '#http/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import { endLookBack } from '../service/rueckblick.ts';

export const rueckblickEntfernenRoute = (context: ServiceContext) =>
  route(rueckblickEntfernen, ({ principal, params }) =>
    endLookBack(context, principal.mandant, params.rueckblick_id),
  );
