import { geldgrenzen } from '#contracts';
import { route } from '#http/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import { showLimits } from '../set-limits.ts';

export const geldgrenzenRoute = (context: ServiceContext) =>
  route(geldgrenzen, ({ principal }) => showLimits(context, principal.mandant));
