import { benutzerEinladen } from '#contracts';
import { akteurOf } from '#domains/protokoll/index.ts';
import { type Route, route } from '#http/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import { invite } from '../service/einladungen.ts';
import type { Throttles } from '../throttle.ts';

export const benutzerEinladenRoute = (context: ServiceContext, throttles: Throttles): Route =>
  route(benutzerEinladen, async (call) => {
    const { principal, body, request } = call;
    await throttles.invitations.count(principal.mandant, body.email, request.ip);
    return invite(context, principal, akteurOf(call), body);
  });
