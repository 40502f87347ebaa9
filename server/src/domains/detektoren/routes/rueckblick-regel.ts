import { regelRueckblick } from '#contracts';
import { route } from '#http/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import { lookBackAtRule } from '../service/rueckblick.ts';

export const regelRueckblickRoute = (context: ServiceContext) =>
  route(regelRueckblick, ({ principal, params, body }) =>
    lookBackAtRule(context, principal.mandant, params.regel_id, body),
  );
