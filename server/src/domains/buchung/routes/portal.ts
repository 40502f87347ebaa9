import { portal } from '#contracts';
import { type Route, route } from '#http/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import { BOOKINGS } from '../limits.ts';
import type { Provider } from '../provider.ts';
import { openPortal } from '../service/buchen.ts';

export const portalRoute = (context: ServiceContext, provider: Provider | null): Route =>
  route(portal, async ({ principal, request }) => {
    await context.throttle.countErrand(BOOKINGS, principal.mandant, request.ip);
    return { adresse: await openPortal(context, provider, principal.mandant) };
  });
