import { zweiterFaktorBestaetigen } from '#contracts';
import { akteurOf } from '#domains/protokoll/index.ts';
import { type HostCookie, type Route, route } from '#http/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import { confirmSecondFactor } from '../service/zweiter-faktor.ts';

export const zweiterFaktorBestaetigenRoute = (context: ServiceContext, session: HostCookie): Route =>
  route(zweiterFaktorBestaetigen, async (call) => {
    const { answer, token } = await confirmSecondFactor(
      context,
      call.principal,
      akteurOf(call),
      call.body.code,
    );
    session.set(call.reply, token);
    return answer;
  });
