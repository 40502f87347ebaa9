import { einstellungenLesen } from '#contracts';
import { type Route, route } from '#http/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import { readSettings } from '../service/settings.ts';

export const einstellungenLesenRoute = (context: ServiceContext): Route =>
  route(einstellungenLesen, ({ principal }) => readSettings(context, principal.mandant));
