import { portal } from '#contracts';
import type { ErrandThrottle } from '#domains/zugang/index.ts';
import { type Route, route } from '#http/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import type { Provider } from '../provider.ts';
import { openPortal } from '../service/buchen.ts';

export const portalRoute = (
  context: ServiceContext,
  provider: Provider | null,
  throttle: ErrandThrottle,
): Route =>
  route(portal, async ({ principal, request }) => {
    await throttle.count(principal.mandant, request.ip);
    return { adresse: await openPortal(context, provider, principal.mandant) };
  });
