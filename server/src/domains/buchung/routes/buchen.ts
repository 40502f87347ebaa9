import { buchen } from '#contracts';
import { akteurOf } from '#domains/protokoll/index.ts';
import { type Route, route } from '#http/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import { BOOKINGS } from '../limits.ts';
import type { Provider } from '../provider.ts';
import { bookPackage } from '../service/buchen.ts';

export const buchenRoute = (context: ServiceContext, provider: Provider | null): Route =>
  route(buchen, async (call) => {
    const { mandant } = call.principal;
    await context.throttle.countErrand(BOOKINGS, mandant, call.request.ip);
    return {
      adresse: await bookPackage(context, provider, {
        mandant,
        akteur: akteurOf(call),
        paket: call.body.paket,
      }),
    };
  });
