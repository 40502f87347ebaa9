import { geheimnisErneuern } from '#contracts';
import { akteurOf } from '#domains/protokoll/index.ts';
import { type Route, route } from '#http/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import { renewSecret } from '../service/settings.ts';

export const geheimnisErneuernRoute = (context: ServiceContext): Route =>
  route(geheimnisErneuern, (call) => renewSecret(context, call.principal.mandant, akteurOf(call)));
