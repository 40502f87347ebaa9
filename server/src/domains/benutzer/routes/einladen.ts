import { benutzerEinladen } from '#contracts';
import { akteurOf } from '#domains/protokoll/index.ts';
import { type Route, route } from '#http/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import { INVITATIONS_OF_NETWORK } from '../limits.ts';
import { invite } from '../service/einladungen.ts';

export const benutzerEinladenRoute = (context: ServiceContext): Route =>
  route(benutzerEinladen, async (call) => {
    const { principal, body, request } = call;
    await context.throttle.countNetwork(INVITATIONS_OF_NETWORK, request.ip);
    return invite(context, principal, akteurOf(call), body, context.config.linksInAnswers);
  });
