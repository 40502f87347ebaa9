import { buchen } from '#contracts';
import { akteurOf } from '#domains/protokoll/index.ts';
import { type Route, route } from '#http/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import type { Provider } from '../provider.ts';
import { bookPackage } from '../service/buchen.ts';

export const buchenRoute = (context: ServiceContext, provider: Provider | null): Route =>
  route(buchen, async (call) => ({
    adresse: await bookPackage(context, provider, call.principal.mandant, akteurOf(call), call.body.paket),
  }));
