import { einladungAnnehmen } from '#contracts';
import { endSession, herkunftOf } from '#domains/zugang/index.ts';
import { type HostCookie, type Route, route } from '#http/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import { acceptInvitation } from '../service/annahme.ts';

export const einladungAnnehmenRoute = (context: ServiceContext, cookie: HostCookie): Route =>
  route(einladungAnnehmen, async ({ body, request, reply }) => {
    const { token, ich } = await acceptInvitation(context, body, herkunftOf(request));
    await endSession(context, cookie.read(request));
    cookie.set(reply, token);
    return ich;
  });
