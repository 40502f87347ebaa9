import { registrieren } from '#contracts';
import { type Route, route } from '#http/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import { endSession, registerMandant } from '../service.ts';
import type { SessionCookie } from '../session-cookie.ts';
import { ichToApi } from '../to-api.ts';

export const registrierenRoute = (context: ServiceContext, cookie: SessionCookie): Route =>
  route(registrieren, async ({ body, request, reply }) => {
    const { token, principal } = await registerMandant(context, body);
    await endSession(context, cookie.read(request));
    cookie.set(reply, token);
    return ichToApi(principal);
  });
