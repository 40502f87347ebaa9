import { abmelden } from '#contracts';
import { type HostCookie, type Route, route } from '#http/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import { endSession } from '../service/sitzungen.ts';

export const abmeldenRoute = (context: ServiceContext, cookie: HostCookie): Route =>
  route(abmelden, async ({ request, reply }) => {
    await endSession(context, cookie.read(request));
    cookie.clear(reply);
    // Figures that the browser has kept go, too: the next one at this computer is somebody else.
    reply.header('clear-site-data', '"cache"');
    return { abgemeldet: true };
  });
