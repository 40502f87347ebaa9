/** Accounts for tests, made the way a user makes them: through the API. */
import { randomUUID } from 'node:crypto';
import type { LightMyRequestResponse } from 'fastify';
import type { Scope } from '#contracts';
import type { TestService } from './service.ts';

export const PASSWORT = 'richtig-lang-genug';

export interface Account {
  /** Cookie header of the signed-in user. */
  cookie: string;
  email: string;
  mandantId: string;
  benutzerId: string;
}

/** The name and value of the first cookie an answer sets, as the browser would send them back. */
export const cookieOf = (answer: LightMyRequestResponse): string => {
  const cookie = answer.cookies[0];
  if (!cookie) throw new Error(`no cookie in the answer: ${answer.statusCode} ${answer.body}`);
  return `${cookie.name}=${cookie.value}`;
};

function accountOf(answer: LightMyRequestResponse): Account {
  const { benutzer, mandant } = answer.json();
  return {
    cookie: cookieOf(answer),
    email: benutzer.email,
    mandantId: mandant.mandant_id,
    benutzerId: benutzer.benutzer_id,
  };
}

/** A new Mandant and its signed-in inhaber. */
export async function registerAccount(service: TestService, firma = 'Muster GmbH'): Promise<Account> {
  const payload = { firma, email: `${randomUUID()}@example.org`, passwort: PASSWORT };
  return accountOf(await service.app.inject({ method: 'POST', url: '/v1/registrieren', payload }));
}

export const logIn = (service: TestService, email: string, passwort = PASSWORT, headers = {}) =>
  service.app.inject({ method: 'POST', url: '/v1/anmelden', headers, payload: { email, passwort } });

/** A further, signed-in user of the same Mandant in the given role. */
export async function addUser(service: TestService, account: Account, rolle: string): Promise<Account> {
  const email = `${randomUUID()}@example.org`;
  await service.sql(
    `INSERT INTO benutzer (mandant_id, benutzer_id, email, passwort_hash, rolle)
     SELECT mandant_id, gen_random_uuid(), $2, passwort_hash, $3 FROM benutzer WHERE benutzer_id = $1`,
    [account.benutzerId, email, rolle],
  );
  return accountOf(await logIn(service, email));
}

export interface Key {
  schluesselId: string;
  /** The whole key. */
  secret: string;
}

/** A new API key; without `bereiche` it may send and read. */
export async function createKey(service: TestService, account: Account, bereiche?: Scope[]): Promise<Key> {
  const answer = await service.app.inject({
    method: 'POST',
    url: '/v1/cockpit/konto/schluessel',
    headers: { cookie: account.cookie },
    payload: bereiche ? { bereiche } : {},
  });
  const { schluessel_id, schluessel } = answer.json();
  return { schluesselId: schluessel_id, secret: schluessel };
}
