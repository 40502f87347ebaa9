import { registrieren } from '#contracts';
import { type Route, route } from '#http/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import { REGISTRATIONS } from '../limits.ts';
import { registerMandant } from '../service/registrierung.ts';
import { herkunftOf } from '../service/sitzungen.ts';
import type { Browser } from './browser.ts';

export const registrierenRoute = (context: ServiceContext, browser: Browser): Route =>
  route(registrieren, async (call) => {
    const { body, request } = call;
    await context.throttle.countNetwork(REGISTRATIONS, request.ip);
    const signedIn = await registerMandant(context, body, herkunftOf(request));
    await browser.keep(call, signedIn);
    return signedIn.ich;
  });
