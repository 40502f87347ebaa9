import { anmelden } from '#contracts';
import { type HostCookie, type Route, route } from '#http/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import { login } from '../service/anmeldung.ts';
import { endSession, herkunftOf } from '../service/sitzungen.ts';

export const anmeldenRoute = (context: ServiceContext, cookie: HostCookie): Route =>
  route(anmelden, async ({ body, request, reply }) => {
    const { token, ich } = await login(context, body, herkunftOf(request));
    // The token the browser came with, planted or not, ends here: a login always starts a session of its own.
    await endSession(context, cookie.read(request));
    cookie.set(reply, token);
    return ich;
  });
