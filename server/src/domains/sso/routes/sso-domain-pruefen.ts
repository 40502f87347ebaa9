import { ssoDomainPruefen } from '#contracts';
import { akteurOf } from '#domains/protokoll/index.ts';
import { type Route, route } from '#http/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import { checkDomain, type TxtResolver } from '../service/domains.ts';

export const ssoDomainPruefenRoute = (context: ServiceContext, resolver: TxtResolver): Route =>
  route(ssoDomainPruefen, (call) =>
    checkDomain(context, resolver, call.principal.mandant, akteurOf(call), call.params.domain),
  );
