import { berichtaboLesen } from '#contracts';
import { type Route, route } from '#http/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import { readOwnAbo } from '../service/abo.ts';

export const aboLesenRoute = (context: ServiceContext): Route =>
  route(berichtaboLesen, ({ principal }) => readOwnAbo(context, principal));
