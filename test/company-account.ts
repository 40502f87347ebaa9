/** Logins with a company account, the way a browser makes them. */

import type { LightMyRequestResponse } from 'fastify';
import { benutzerRoutes } from '#domains/benutzer/index.ts';
import { createKeyLookup } from '#domains/schluessel/index.ts';
import { ssoRoutes } from '#domains/sso/index.ts';
import { createSessionLookup, zugangRoutes } from '#domains/zugang/index.ts';
import { createApp } from '#http/index.ts';
import { type Account, registerAccount } from './account.ts';
import { watchAnswers } from './answers.ts';
import { type NameServer, startNameServer } from './name-server.ts';
import { type OidcProvider, startOidcProvider } from './oidc-provider.ts';
import { startService, type TestService } from './service.ts';

export interface SsoService extends TestService {
  dns: NameServer;
  /** Where providers send browsers back to. */
  redirectUri: string;
}

/** The service with a name server of its own; providers may be on this machine. */
export async function startSsoService(env: Record<string, string> = {}): Promise<SsoService> {
  const service = await startService({ ERLAUBTE_NETZE: '127.0.0.0/8', ...env });
  const dns = await startNameServer();
  const { context } = service;
  const app = await createApp({
    log: context.log,
    metrics: context.metrics,
    version: context.version,
    production: context.config.production,
    baseUrl: () => context.config.baseUrl,
    trustedProxies: [],
    authenticator: { key: createKeyLookup(context), session: createSessionLookup(context) },
    cockpitDir: null,
    routes: [...zugangRoutes(context), ...benutzerRoutes(context), ...ssoRoutes(context, dns.resolver)],
  });
  watchAnswers(app);
  await app.ready();
  return {
    ...service,
    app,
    dns,
    redirectUri: `${context.config.baseUrl}/v1/sso/callback`,
    async stop() {
      await app.close();
      await dns.stop();
      await service.stop();
    },
  };
}

export const putSso = (
  service: SsoService,
  account: Account,
  payload: Record<string, unknown>,
): Promise<LightMyRequestResponse> =>
  service.app.inject({
    method: 'PUT',
    url: '/v1/cockpit/mandant/sso',
    headers: { cookie: account.cookie },
    payload,
  });

export const checkDomain = (
  service: SsoService,
  account: Account,
  domain: string,
): Promise<LightMyRequestResponse> =>
  service.app.inject({
    method: 'POST',
    url: `/v1/cockpit/mandant/sso/domains/${encodeURIComponent(domain)}/pruefen`,
    headers: { cookie: account.cookie },
  });

/** Puts the record of a claimed domain where the name server finds it, and has it looked for. */
export async function proveDomain(service: SsoService, account: Account, domain: string): Promise<void> {
  const url = '/v1/cockpit/mandant/sso';
  const { domains } = (await service.app.inject({ url, headers: { cookie: account.cookie } })).json();
  const claim = domains.find((entry: { domain: string }) => entry.domain === domain);
  service.dns.records.set(claim.eintrag, [[claim.nachweis]]);
  const answer = await checkDomain(service, account, domain);
  if (answer.json().status !== 'bewiesen') throw new Error(`not proven: ${answer.body}`);
}

/** A Mandant whose users of one domain sign in at a provider. */
export async function setUpCompany(
  service: SsoService,
  provider: { issuer: string; clientId: string; clientSecret: string | null },
  domain: string,
  settings: Record<string, unknown> = {},
): Promise<Account> {
  const account = await registerAccount(service);
  const { issuer, clientId: client_id, clientSecret: client_secret } = provider;
  const answer = await putSso(service, account, {
    issuer,
    client_id,
    client_secret,
    domains: [domain],
    ...settings,
  });
  if (answer.statusCode !== 200) throw new Error(answer.body);
  await proveDomain(service, account, domain);
  return account;
}

/** The service with a provider beside it that sends browsers back to it; they stop together. */
export async function startSsoWithProvider(): Promise<{ service: SsoService; provider: OidcProvider }> {
  const service = await startSsoService();
  const provider = await startOidcProvider({ redirectUri: service.redirectUri });
  const stop = async () => {
    await provider.stop();
    await service.stop();
  };
  return { service: { ...service, stop }, provider };
}

let companies = 0;

/** A further company, in a domain of its own; nobody sits in front of the provider's login page any more. */
export async function setUpNextCompany(
  service: SsoService,
  provider: OidcProvider,
  settings: Record<string, unknown> = {},
): Promise<{ account: Account; domain: string }> {
  companies += 1;
  const domain = `firma${companies}.example`;
  provider.visitor = null;
  return { account: await setUpCompany(service, provider, domain, settings), domain };
}

/** A login that has begun: the address the browser goes to, and the cookie it has got. */
export interface Begun {
  adresse: URL;
  cookie: string;
}

export async function beginLogin(service: SsoService, email: string): Promise<Begun> {
  const answer = await service.app.inject({ url: '/v1/sso/start', query: { email } });
  const [cookie] = answer.cookies;
  if (!cookie) throw new Error(`login did not begin: ${answer.statusCode} ${answer.body}`);
  return { adresse: new URL(answer.json().adresse), cookie: `${cookie.name}=${cookie.value}` };
}

/** Goes to the provider and wherever it leads, until it sends the browser back; returns that address. */
export async function visitProvider(adresse: URL, redirectUri: string): Promise<URL> {
  const cookies = new Map<string, string>();
  let url = adresse;
  for (let step = 0; step < 10 && !url.href.startsWith(redirectUri); step += 1) {
    const cookie = [...cookies].map((pair) => pair.join('=')).join('; ');
    const answer = await fetch(url, { redirect: 'manual', headers: { cookie } });
    for (const text of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(text) ?? [];
      cookies.set(name, value);
    }
    const location = answer.headers.get('location');
    if (!location) throw new Error(`the provider stopped at ${url.pathname}: ${await answer.text()}`);
    url = new URL(location, url);
  }
  return url;
}

/** Comes back from the provider. */
export const returnTo = (
  service: SsoService,
  returned: URL,
  cookie?: string,
): Promise<LightMyRequestResponse> =>
  service.app.inject({
    url: `${returned.pathname}${returned.search}`,
    headers: cookie === undefined ? {} : { cookie },
  });

/** From the login page to the page after the login. */
export async function logInByCompany(service: SsoService, email: string): Promise<LightMyRequestResponse> {
  const { adresse, cookie } = await beginLogin(service, email);
  return returnTo(service, await visitProvider(adresse, service.redirectUri), cookie);
}

/** Where the page after a login leads. */
export const leadsTo = (answer: LightMyRequestResponse): string | undefined =>
  /<meta http-equiv="refresh" content="0;url=([^"]*)">/.exec(answer.body)?.[1];

/** The session cookie an answer sets, as the browser would send it back; undefined when it sets none. */
export function sessionOf(answer: LightMyRequestResponse): string | undefined {
  const cookie = answer.cookies.find(({ name, value }) => name.endsWith('zw_sitzung') && value !== '');
  return cookie && `${cookie.name}=${cookie.value}`;
}
