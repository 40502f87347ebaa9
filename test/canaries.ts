/** Secrets planted through the operations that take them or hand them out. */
import { randomBytes } from 'node:crypto';
import type { LightMyRequestResponse } from 'fastify';
import { Secret } from 'otpauth';
import { type Account, cookieOf, createKey } from './account.ts';
import { codeFor, enableSecondFactor } from './second-factor.ts';
import type { TestService } from './service.ts';

/** Whose secrets they are, and the secrets by name. */
export interface Planted {
  service: TestService;
  account: Account;
  secrets: Map<string, string>;
}

interface Sent {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  url: string;
  payload?: object;
  headers?: Record<string, string>;
}

function keep({ secrets }: Pick<Planted, 'secrets'>, name: string, text: string): string {
  secrets.set(name, text);
  return text;
}
/** Makes one up. */
export const newSecret = (planted: Pick<Planted, 'secrets'>, name: string): string =>
  keep(planted, name, `kanarienvogel-${randomBytes(12).toString('hex')}`);

/** The inhaber asks, unless headers are given. Throws when the answer has another status. */
async function send(
  { service, account }: Pick<Planted, 'service' | 'account'>,
  status: number,
  { headers = { cookie: account.cookie }, ...request }: Sent,
): Promise<LightMyRequestResponse> {
  const answer = await service.app.inject({ ...request, headers });
  if (answer.statusCode !== status) throw new Error(`${request.url}: ${answer.statusCode} ${answer.body}`);
  return answer;
}
const NOBODY = {};
const tokenIn = (link: string) => new URL(link).searchParams.get('token') as string;
const sessionIn = (answer: LightMyRequestResponse) => cookieOf(answer).split('=')[1] as string;

async function register(service: TestService, secrets: Map<string, string>): Promise<Account> {
  const payload = {
    firma: 'Muster GmbH',
    email: 'inhaber@example.org',
    passwort: newSecret({ secrets }, 'password'),
  };
  const answer = await service.app.inject({ method: 'POST', url: '/v1/registrieren', payload });
  const { benutzer, mandant } = answer.json();
  keep({ secrets }, 'session token', sessionIn(answer));
  return {
    cookie: cookieOf(answer),
    email: payload.email,
    mandantId: mandant.mandant_id,
    benutzerId: benutzer.benutzer_id,
  };
}

async function plantSettings(planted: Planted): Promise<void> {
  const channels = {
    email: ['alarm@example.org'],
    chatA_webhook: `https://chat-a.example.org/${newSecret(planted, 'chat webhook')}`,
    chatB_webhook: `https://chat-b.example.org/?key=${newSecret(planted, 'other chat webhook')}`,
    push_url: `https://push.example.org/${newSecret(planted, 'push address')}`,
    webhook_url: `https://haken.example.org/${newSecret(planted, 'webhook address')}`,
  };
  await send(planted, 200, { method: 'PUT', url: '/v1/cockpit/mandant/alarme', payload: channels });
  for (const name of ['former webhook secret', 'webhook secret']) {
    const url = '/v1/cockpit/mandant/alarme/geheimnis';
    keep(planted, name, (await send(planted, 201, { method: 'POST', url })).json().geheimnis);
  }
  const sso = {
    issuer: 'https://anbieter.example.org',
    client_id: 'client',
    client_secret: newSecret(planted, 'client secret'),
    domains: ['firma.example.org'],
  };
  // The package that is booked afterwards has it.
  const give = (paket: string, quelle: string) =>
    planted.service.sql('UPDATE mandanten SET paket = $1, paket_quelle = $2', [paket, quelle]);
  await give('team', 'betreiber');
  await send(planted, 200, { method: 'PUT', url: '/v1/cockpit/mandant/sso', payload: sso });
  await give('frei', 'frei');
  await send(planted, 200, { method: 'POST', url: '/v1/cockpit/konto/buchen', payload: { paket: 'team' } });
}

async function plantKeys(planted: Planted): Promise<void> {
  const key = keep(planted, 'API key', (await createKey(planted.service, planted.account)).secret);
  await send(planted, 202, {
    method: 'POST',
    url: '/v1/ereignisse',
    payload: { ereignisse: [{ agent: 'a' }] },
    headers: { authorization: `Bearer ${key}` },
  });
  await send(planted, 200, { method: 'GET', url: '/v1/anbindung/pruefen', headers: { 'x-svc-key': key } });
  const unknown = keep(planted, 'unknown API key', `zw_live_${randomBytes(32).toString('base64url')}`);
  await send(planted, 401, {
    method: 'GET',
    url: '/v1/laeufe',
    headers: { authorization: `Bearer ${unknown}` },
  });
}

const logIn = (planted: Planted, status: number, passwort: string, code?: string) =>
  send(planted, status, {
    method: 'POST',
    url: '/v1/anmelden',
    payload: { email: planted.account.email, passwort, ...(code === undefined ? {} : { code }) },
    headers: NOBODY,
  });

async function plantLogins(planted: Planted): Promise<void> {
  const { service, account, secrets } = planted;
  const { seed, codes } = await enableSecondFactor(service, account);
  keep(planted, 'TOTP seed', seed);
  for (const [index, code] of codes.entries()) keep(planted, `recovery code ${index}`, code);
  await logIn(planted, 401, newSecret(planted, 'wrong password'));
  const passwort = secrets.get('password') as string;
  keep(
    planted,
    'second session token',
    sessionIn(await logIn(planted, 200, passwort, codeFor(seed, service.clock.now(), 1))),
  );
  keep(planted, 'third session token', sessionIn(await logIn(planted, 200, passwort, codes[0])));
}

async function plantPasswords(planted: Planted): Promise<void> {
  const { account, secrets } = planted;
  const payload = { alt: secrets.get('password'), neu: newSecret(planted, 'changed password') };
  await send(planted, 200, { method: 'PUT', url: '/v1/cockpit/passwort', payload });
  const forget = async () => {
    const request = { email: account.email };
    const answer = await send(planted, 200, {
      method: 'POST',
      url: '/v1/passwort/vergessen',
      payload: request,
      headers: NOBODY,
    });
    return tokenIn(answer.json().link);
  };
  const passwort = newSecret(planted, 'reset password');
  const reset = { token: keep(planted, 'used reset token', await forget()), passwort };
  await send(planted, 200, { method: 'POST', url: '/v1/passwort/neu', payload: reset, headers: NOBODY });
  keep(planted, 'reset token', await forget());
  // The reset has ended all sessions.
  const answer = await logIn(planted, 200, passwort, secrets.get('recovery code 1'));
  account.cookie = cookieOf(answer);
  keep(planted, 'last session token', sessionIn(answer));
}

async function plantInvitations(planted: Planted): Promise<void> {
  const invite = async (email: string) => {
    const answer = await send(planted, 200, {
      method: 'POST',
      url: '/v1/cockpit/benutzer/einladen',
      payload: { email },
    });
    return tokenIn(answer.json().link);
  };
  const open = keep(planted, 'invitation token', await invite('eins@example.org'));
  await send(planted, 200, { method: 'GET', url: `/v1/einladung?token=${open}`, headers: NOBODY });
  const token = keep(planted, 'used invitation token', await invite('zwei@example.org'));
  const payload = { token, name: 'Zwei', passwort: newSecret(planted, 'password of the invited') };
  const answer = await send(planted, 200, {
    method: 'POST',
    url: '/v1/einladung/annehmen',
    payload,
    headers: NOBODY,
  });
  keep(planted, 'session token of the invited', sessionIn(answer));
}

/** Requests that fail, and addresses that carry what they should not. */
async function stumble(planted: Planted): Promise<void> {
  const { service, account, secrets } = planted;
  const query = `state=${newSecret(planted, 'state')}&code=${newSecret(planted, 'authorization code')}`;
  const token = secrets.get('reset token');
  const unknown = {
    token: newSecret(planted, 'unknown reset token'),
    passwort: newSecret(planted, 'password of nobody'),
  };
  const requests: Sent[] = [
    { method: 'GET', url: `/v1/sso/callback?${query}` },
    { method: 'GET', url: `/v1/unbekannt?token=${token}` },
    { method: 'GET', url: `/passwort-neu?token=${token}` },
    { method: 'POST', url: '/v1/passwort/neu', payload: unknown },
    { method: 'POST', url: '/v1/einladung/annehmen', payload: { ...unknown, name: 'Niemand' } },
    {
      method: 'DELETE',
      url: '/v1/cockpit/konto',
      payload: { passwort: newSecret(planted, 'wrong password at cancellation') },
    },
    {
      method: 'DELETE',
      url: '/v1/cockpit/2fa',
      payload: { passwort: newSecret(planted, 'wrong password at the second factor') },
    },
  ];
  for (const request of requests)
    await service.app.inject({ ...request, headers: { cookie: account.cookie } });
}

/** An account whose every secret is known. */
export async function plantSecrets(service: TestService, secrets: Map<string, string>): Promise<Planted> {
  const planted = { service, secrets, account: await register(service, secrets) };
  await plantSettings(planted);
  await plantKeys(planted);
  await plantLogins(planted);
  await plantPasswords(planted);
  await plantInvitations(planted);
  await stumble(planted);
  return planted;
}

/** What the secret is made of, where its text is only a form of it. */
function bytesOf(name: string, text: string): Buffer[] {
  if (name === 'TOTP seed') return [Buffer.from(Secret.fromBase32(text).buffer)];
  if (name.endsWith('webhook secret')) return [Buffer.from(text.replace('whsec_', ''), 'base64')];
  return /token|API key/.test(name) ? [Buffer.from(text.replace(/^zw_live_/, ''), 'base64url')] : [];
}

/** The text, its hexadecimal and base64 forms, and those of what it is made of. */
function disguises(name: string, text: string): string[] {
  const forms = [Buffer.from(text), ...bytesOf(name, text)].flatMap((bytes) => [
    bytes.toString('hex'),
    bytes.toString('base64').replace(/=+$/, ''),
    bytes.toString('base64url'),
  ]);
  return [text, encodeURIComponent(text), ...forms];
}

/** Names of the secrets that can be read in the text, as they are or in a usual disguise. */
export const readableIn = (secrets: Map<string, string>, haystack: string): string[] =>
  [...secrets]
    .filter(([name, text]) => disguises(name, text).some((form) => haystack.includes(form)))
    .map(([name]) => name);
