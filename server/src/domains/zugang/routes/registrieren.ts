import { registrieren } from '#contracts';
import { type HostCookie, type Route, route } from '#http/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import { REGISTRATIONS } from '../limits.ts';
import { registerMandant } from '../service/registrierung.ts';
import { endSession, herkunftOf } from '../service/sitzungen.ts';

export const registrierenRoute = (context: ServiceContext, cookie: HostCookie): Route =>
  route(registrieren, async ({ body, request, reply }) => {
    await context.throttle.countNetwork(REGISTRATIONS, request.ip);
    const { token, ich } = await registerMandant(context, body, herkunftOf(request));
    await endSession(context, cookie.read(request));
    cookie.set(reply, token);
    return ich;
  });
