import { portal } from '#contracts';
import { type Route, route } from '#http/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import type { Provider } from '../provider.ts';
import { openPortal } from '../service/buchen.ts';

export const portalRoute = (context: ServiceContext, provider: Provider | null): Route =>
  route(portal, async ({ principal }) => ({
    adresse: await openPortal(context, provider, principal.mandant),
  }));
