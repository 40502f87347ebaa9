/** Login by company account: to the provider and back. */
import type { QueryOf, ssoCallback } from '#contracts';
import { type MandantId, mandantId } from '#kernel/mandant-id.ts';
import type { ServiceContext } from '#platform/context.ts';
import { hashOf, randomSecret } from '#platform/secret.ts';
import { LoginRefused, noCompanyAccount, providerSilent } from '../errors.ts';
import {
  authorizationAddress,
  exchangeCode,
  isUnreachable,
  type LoginSecrets,
  type Provider,
  reasonOf,
} from '../provider.ts';
import { type Claims, domainOf, LOGIN_MINUTES } from '../rules.ts';
import { insertVorgang, takeVorgang, type Vorgang } from '../store/anmeldungen.ts';
import { type AnbieterRow, findByDomain, readAnbieter } from '../store/einstellungen.ts';
import { redirectUri } from '../to-api.ts';

/** What a login that was begun must find again. The issuer, too: settings may change while somebody is away. */
type Remembered = Omit<LoginSecrets, 'state'> & { issuer: string };

const providerOf = ({ secrets }: ServiceContext, row: AnbieterRow): Provider => ({
  issuer: row.issuer,
  client_id: row.client_id,
  client_secret: row.client_secret && secrets.open(row.client_secret).toString(),
});

/** The provider that the domain of an address leads to; null when there is none. Users are not looked at. */
export async function findProvider(
  { db }: ServiceContext,
  email: string,
): Promise<{ mandant: MandantId; name: string } | null> {
  const domain = domainOf(email);
  const found = domain === null ? undefined : await db.transaction((client) => findByDomain(client, domain));
  return found ? { mandant: mandantId(found.mandant_id), name: found.name } : null;
}

/**
 * Begins a login; `browser` goes into the browser's cookie. Throws 404 for a domain without a company account, 502 when
 * the provider does not answer.
 */
export async function beginLogin(
  context: ServiceContext,
  email: string,
): Promise<{ adresse: string; browser: string }> {
  const mandant = (await findProvider(context, email))?.mandant;
  const row = mandant && (await context.db.forMandant(mandant, readAnbieter));
  if (!mandant || !row) throw noCompanyAccount();
  const [state, nonce, verifier, browser] = [1, 2, 3, 4].map(randomSecret) as [
    string,
    string,
    string,
    string,
  ];
  const provider = providerOf(context, row);
  const redirect = redirectUri(context.config.baseUrl);
  const adresse = await authorizationAddress(
    context,
    provider,
    redirect,
    { state, nonce, verifier },
    email,
  ).catch((error: unknown) => {
    context.log.warn({ mandant, reason: reasonOf(error) }, 'company login cannot begin');
    throw providerSilent();
  });
  const remembered: Remembered = { issuer: row.issuer, nonce, verifier };
  const now = context.clock.now();
  const isKept = await context.db.forMandant(mandant, (tx) =>
    insertVorgang(
      tx,
      {
        hash: hashOf(state),
        browser: hashOf(browser),
        geheimnis: context.secrets.seal(Buffer.from(JSON.stringify(remembered))),
        gueltig_bis: new Date(now.getTime() + LOGIN_MINUTES * 60_000).toISOString(),
      },
      now.toISOString(),
    ),
  );
  if (!isKept) throw noCompanyAccount();
  return { adresse, browser };
}

/** The login that a return belongs to, gone with this look: a second return finds nothing. */
async function takeLogin(
  { db, clock }: ServiceContext,
  state: string | undefined,
  browser: string | null,
): Promise<Vorgang & { mandant: MandantId }> {
  const taken =
    state === undefined ? null : await db.transaction((client) => takeVorgang(client, hashOf(state)));
  if (!taken || Date.parse(taken.gueltig_bis) <= clock.now().getTime())
    throw new LoginRefused('sso_abgelaufen', 'the state is unknown, used or too old');
  if (browser === null || !hashOf(browser).equals(taken.browser))
    throw new LoginRefused('sso_browser', 'the login began in another browser');
  return taken;
}

/** What the provider says of the user who came back, and to which Mandant. Throws `LoginRefused`. */
export async function readReturn(
  context: ServiceContext,
  query: QueryOf<typeof ssoCallback>,
  browser: string | null,
): Promise<{ mandant: MandantId; claims: Claims }> {
  const { mandant, geheimnis } = await takeLogin(context, query.state, browser);
  if (query.error !== undefined)
    throw new LoginRefused('sso_abgebrochen', `the provider answered ${query.error}`);
  const { issuer, nonce, verifier } = JSON.parse(context.secrets.open(geheimnis).toString()) as Remembered;
  const row = await context.db.forMandant(mandant, readAnbieter);
  if (!row?.aktiv || row.issuer !== issuer)
    throw new LoginRefused('sso_abgelaufen', 'the provider was changed meanwhile');
  const returned = new URL(redirectUri(context.config.baseUrl));
  for (const [name, value] of Object.entries(query)) returned.searchParams.set(name, value);
  const secrets = { state: query.state as string, nonce, verifier };
  try {
    return { mandant, claims: await exchangeCode(context, providerOf(context, row), returned, secrets) };
  } catch (error) {
    throw new LoginRefused(
      isUnreachable(error) ? 'sso_nicht_erreichbar' : 'sso_antwort_ungueltig',
      reasonOf(error),
    );
  }
}
