import { ssoAnbieter } from '#contracts';
import { type Route, route } from '#http/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import { findProvider } from '../service/anmeldung.ts';

export const ssoAnbieterRoute = (context: ServiceContext): Route =>
  route(ssoAnbieter, async ({ query }) => {
    const found = await findProvider(context, query.email);
    return { vorhanden: found !== null, name: found?.name ?? null };
  });
