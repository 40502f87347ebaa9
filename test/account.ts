/**
 * Accounts for tests: the rows that registration and login leave, put in as the owner. What those two do themselves is
 * proven where they are tested.
 */
import { randomUUID } from 'node:crypto';
import type { LightMyRequestResponse } from 'fastify';
import { v7 as uuidv7 } from 'uuid';
import type { Scope } from '#contracts';
import { createSessionCookie } from '#http/index.ts';
import { hashOf, randomSecret } from '#platform/secret.ts';
import type { TestService } from './service.ts';

export const PASSWORT = 'richtig-lang-genug';
/** Of that password, cheap to check: what a hash costs is proven where passwords are. */
const PASSWORT_HASH =
  '$argon2id$v=19$m=64,t=1,p=1$d5H4v3FSPAfnO9PHAd5J3g$p4Afs7LwMp3Q3dz1IEB69h0sZJCJIkTsDBb4bSJktgw';

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

/** Begins a session of the user; resolves with its cookie header. */
export async function openSession(
  service: TestService,
  { mandantId, benutzerId }: Pick<Account, 'mandantId' | 'benutzerId'>,
): Promise<string> {
  const token = randomSecret();
  await service.sql(
    `INSERT INTO sitzungen (mandant_id, hash, benutzer_id, erstellt_am, zuletzt_am, adresse, geraet)
     VALUES ($1, $2, $3, $4, $4, '127.0.0.1', 'lightMyRequest')`,
    [mandantId, hashOf(token), benutzerId, service.clock.now().toISOString()],
  );
  return `${createSessionCookie(service.context.config.production).name}=${token}`;
}

const REGISTER = `
  WITH mandant AS (
    INSERT INTO mandanten (mandant_id, firma, paket, zeitzone, erstellt_am)
    VALUES ($1::uuid, $4::text, 'frei', $5, $6::timestamptz)),
  benutzer AS (
    INSERT INTO benutzer (mandant_id, benutzer_id, email, passwort_hash, rolle, erstellt_am, email_bestaetigt_am)
    VALUES ($1, $2::uuid, $3::text, $7, 'inhaber', $6, $6))
  INSERT INTO pruefprotokoll (mandant_id, eintrag_id, zeitpunkt, akteur_art, akteur_id, akteur_name, aktion, objekt_art,
    objekt_id, objekt_name, nachher, adresse)
  VALUES ($1, $8, $6, 'benutzer', $2, $3, 'mandant.registriert', 'mandant', $1::uuid::text, $4,
    jsonb_build_object('firma', $4::text, 'paket', 'frei', 'avv_akzeptiert', false, 'avv_fassung', null), '127.0.0.1')`;

/** A new Mandant and its signed-in inhaber, who has confirmed the address. */
export async function registerAccount(service: TestService, firma = 'Muster GmbH'): Promise<Account> {
  const user = { mandantId: uuidv7(), benutzerId: uuidv7(), email: `${randomUUID()}@example.org` };
  const { mandantId, benutzerId, email } = user;
  const { timeZone } = service.context.config;
  const now = service.clock.now().toISOString();
  await service.sql(REGISTER, [mandantId, benutzerId, email, firma, timeZone, now, PASSWORT_HASH, uuidv7()]);
  return { ...user, cookie: await openSession(service, user) };
}

export const logIn = (service: TestService, email: string, passwort = PASSWORT, headers = {}) =>
  service.app.inject({ method: 'POST', url: '/v1/anmelden', headers, payload: { email, passwort } });

/** A further, signed-in user of the same Mandant in the given role, with the same password. */
export async function addUser(
  service: TestService,
  { mandantId }: Pick<Account, 'mandantId'>,
  rolle: string,
): Promise<Account> {
  const user = { mandantId, benutzerId: randomUUID(), email: `${randomUUID()}@example.org` };
  await service.sql(
    `INSERT INTO benutzer (mandant_id, benutzer_id, email, passwort_hash, rolle, email_bestaetigt_am)
     VALUES ($1, $2, $3, $4, $5, now())`,
    [mandantId, user.benutzerId, user.email, PASSWORT_HASH, rolle],
  );
  return { ...user, cookie: await openSession(service, user) };
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
