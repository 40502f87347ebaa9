import { nutzungVergleichen } from '#contracts';
import { CSV_BODY_LIMIT, type Route, route } from '#http/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import { compareUsage } from '../service/nutzung.ts';

export const nutzungVergleichenRoute = (context: ServiceContext): Route =>
  route(nutzungVergleichen, ({ principal, body }) => compareUsage(context, principal.mandant, body), {
    bodyLimit: CSV_BODY_LIMIT,
  });
