/** From rows to the shapes of the contract. */
import { type Sso, type SsoDomain, SsoEinstellung, type Static } from '#contracts';
import { toInstantOrNull } from '#kernel/instant.ts';
import { recordName, recordValue } from './rules.ts';
import type { AnbieterRow, DomainRow } from './store/einstellungen.ts';

export const domainToApi = ({ domain, nachweis, bewiesen_am }: DomainRow): Static<typeof SsoDomain> => ({
  domain,
  status: bewiesen_am === null ? 'offen' : 'bewiesen',
  bewiesen_am: toInstantOrNull(bewiesen_am),
  eintrag: recordName(domain),
  nachweis: recordValue(nachweis),
});

/** The address the provider must send users back to. */
export const redirectUri = (baseUrl: string): string => `${baseUrl}/v1/sso/callback`;

const PRESETS = SsoEinstellung.properties;

/** Nothing set up shows the values a new set-up begins with. */
export const ssoToApi = (
  anbieter: AnbieterRow | undefined,
  domains: DomainRow[],
  baseUrl: string,
): Static<typeof Sso> => ({
  eingerichtet: anbieter !== undefined,
  aktiv: anbieter?.aktiv ?? false,
  issuer: anbieter?.issuer ?? null,
  client_id: anbieter?.client_id ?? null,
  client_secret_gesetzt: (anbieter?.client_secret ?? null) !== null,
  domains: domains.map(domainToApi),
  rolle_neu: anbieter?.rolle_neu ?? PRESETS.rolle_neu.default,
  name: anbieter?.name ?? PRESETS.name.default,
  redirect_uri: redirectUri(baseUrl),
});
