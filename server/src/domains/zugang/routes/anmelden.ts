import { anmelden } from '#contracts';
import { type Route, route } from '#http/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import { login } from '../service/anmeldung.ts';
import { herkunftOf } from '../service/sitzungen.ts';
import type { Browser } from './browser.ts';

export const anmeldenRoute = (context: ServiceContext, browser: Browser): Route =>
  route(anmelden, async (call) => {
    const { body, request } = call;
    const signedIn = await login(context, body, herkunftOf(request), browser.deviceOf(call));
    await browser.keep(call, signedIn);
    return signedIn.ich;
  });
