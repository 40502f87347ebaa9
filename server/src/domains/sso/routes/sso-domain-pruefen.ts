import { ssoDomainPruefen } from '#contracts';
import { akteurOf } from '#domains/protokoll/index.ts';
import { type Route, route } from '#http/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import { DOMAIN_CHECKS } from '../limits.ts';
import { checkDomain, type TxtResolver } from '../service/domains.ts';

export const ssoDomainPruefenRoute = (context: ServiceContext, resolver: TxtResolver): Route =>
  route(ssoDomainPruefen, async (call) => {
    const { mandant } = call.principal;
    await context.throttle.countErrand(DOMAIN_CHECKS, mandant, call.request.ip);
    return checkDomain(context, resolver, mandant, akteurOf(call), call.params.domain);
  });
