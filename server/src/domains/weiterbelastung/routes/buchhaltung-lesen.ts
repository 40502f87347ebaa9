import { buchhaltungLesen } from '#contracts';
import { type Route, route } from '#http/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import { readBuchhaltung } from '../service/settings.ts';

export const buchhaltungLesenRoute = (context: ServiceContext): Route =>
  route(buchhaltungLesen, ({ principal }) => readBuchhaltung(context, principal.mandant));
