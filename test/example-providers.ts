/** An internet in which every address reserved for examples describes itself as an OpenID provider; all else is as it is. */
import { Response } from 'undici';
import type { Outbound } from '#platform/outbound.ts';

const DESCRIPTION = '/.well-known/openid-configuration';
/** Names reserved for examples, and one machine of a company's own network. */
const EXAMPLE = /\.example(\.org)?$|^10\.1\.2\.3$/;

const describe = (issuer: string) => ({
  issuer,
  authorization_endpoint: `${issuer}/anmelden`,
  token_endpoint: `${issuer}/token`,
  jwks_uri: `${issuer}/keys`,
  response_types_supported: ['code'],
  subject_types_supported: ['public'],
  id_token_signing_alg_values_supported: ['RS256'],
});

export const withExampleProviders = (outbound: Outbound): Outbound => ({
  ...outbound,
  async fetch(url, init) {
    const { href, hostname, pathname } = new URL(url);
    if (!EXAMPLE.test(hostname) || !pathname.endsWith(DESCRIPTION)) return outbound.fetch(url, init);
    return Response.json(describe(href.slice(0, -DESCRIPTION.length)));
  },
});
