import { anmelden } from '#contracts';
import { type Route, route } from '#http/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import { endSession, login } from '../service.ts';
import type { SessionCookie } from '../session-cookie.ts';
import type { LoginThrottle } from '../throttle.ts';
import { ichToApi } from '../to-api.ts';

export const anmeldenRoute = (
  context: ServiceContext,
  cookie: SessionCookie,
  throttle: LoginThrottle,
): Route =>
  route(anmelden, async ({ body, request, reply }) => {
    const { token, principal } = await login(context, throttle, body, request.ip);
    // The token the browser came with, planted or not, ends here: a login always starts a session of its own.
    await endSession(context, cookie.read(request));
    cookie.set(reply, token);
    return ichToApi(principal);
  });
