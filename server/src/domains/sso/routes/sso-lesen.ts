import { ssoLesen } from '#contracts';
import { type Route, route } from '#http/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import { readSso } from '../service/einstellungen.ts';

export const ssoLesenRoute = (context: ServiceContext): Route =>
  route(ssoLesen, ({ principal }) => readSso(context, principal.mandant));
