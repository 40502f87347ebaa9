import { ssoStart } from '#contracts';
import { type HostCookie, type Route, route } from '#http/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import { COMPANY_LOGINS } from '../limits.ts';
import { beginLogin } from '../service/anmeldung.ts';

export const ssoStartRoute = (context: ServiceContext, cookie: HostCookie): Route =>
  route(
    ssoStart,
    async ({ query, request, reply }) => {
      // Each one makes this service ask the provider.
      await context.throttle.countNetwork(COMPANY_LOGINS, request.ip);
      const { adresse, browser } = await beginLogin(context, query.email);
      cookie.set(reply, browser);
      return { adresse };
    },
    { idleHead: true },
  );
