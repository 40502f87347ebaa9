import { lizenzLesen } from '#contracts';
import { type Route, route } from '#http/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import { readLizenz } from '../service/lizenz.ts';

export const lizenzLesenRoute = (context: ServiceContext): Route =>
  route(lizenzLesen, ({ principal }) => readLizenz(context, principal.mandant));
