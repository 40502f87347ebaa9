/** Single sign-on with a company account (OpenID Connect). */
import { Resolver } from 'node:dns/promises';
import { createBrowser } from '#domains/zugang/index.ts';
import { createHostCookie, type Route } from '#http/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import { ssoAnbieterRoute } from './routes/sso-anbieter.ts';
import { ssoCallbackRoute } from './routes/sso-callback.ts';
import { ssoDomainPruefenRoute } from './routes/sso-domain-pruefen.ts';
import { ssoEntfernenRoute } from './routes/sso-entfernen.ts';
import { ssoLesenRoute } from './routes/sso-lesen.ts';
import { ssoSetzenRoute } from './routes/sso-setzen.ts';
import { ssoStartRoute } from './routes/sso-start.ts';
import { LOGIN_MINUTES } from './rules.ts';
import type { TxtResolver } from './service/domains.ts';

export { normaliseDomain } from './rules.ts';
export { proveDomain } from './service/domains.ts';

const createResolver = (): TxtResolver => new Resolver({ timeout: 3_000, tries: 2 });

/** `resolver` is asked for the records that prove a domain: the system's name servers unless given. */
export function ssoRoutes(context: ServiceContext, resolver: TxtResolver = createResolver()): Route[] {
  const { production } = context.config;
  // Ties a login to the browser it began in: nobody can be made to end another's.
  const begun = createHostCookie('zw_sso', production, LOGIN_MINUTES * 60);
  return [
    ssoLesenRoute(context),
    ssoSetzenRoute(context),
    ssoEntfernenRoute(context),
    ssoDomainPruefenRoute(context, resolver),
    ssoAnbieterRoute(context),
    ssoStartRoute(context, begun),
    ssoCallbackRoute(context, begun, createBrowser(context)),
  ];
}
