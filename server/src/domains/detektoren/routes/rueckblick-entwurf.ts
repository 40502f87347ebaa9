import { entwurfRueckblick } from '#contracts';
import { route } from '#http/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import { lookBackAtDraft } from '../service/rueckblick.ts';

export const entwurfRueckblickRoute = (context: ServiceContext) =>
  route(entwurfRueckblick, ({ principal, body }) => lookBackAtDraft(context, principal.mandant, body));
