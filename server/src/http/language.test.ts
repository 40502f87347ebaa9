/** Refusals speak the language that is asked for; German where none is. */
import type { InjectOptions } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Account, addUser, createKey, registerAccount } from '#test/account.ts';
import { startService, type TestService } from '#test/service.ts';

let service: TestService;
let owner: Account;
let viewer: Account;
let reader: string;
beforeAll(async () => {
  service = await startService();
  owner = await registerAccount(service);
  viewer = await addUser(service, owner, 'betrachter');
  reader = (await createKey(service, owner, ['Lesen'])).secret;
});
afterAll(() => service.stop());

const JSON_TYPE = { 'content-type': 'application/json' };
const run = '/v1/laeufe/00000000-0000-4000-8000-000000000000';

const refusals: [number, string, () => InjectOptions, string, string][] = [
  [401, 'nicht_angemeldet', () => ({ url: '/v1/ich' }), 'Bitte melden Sie sich an.', 'Please sign in.'],
  [
    401,
    'schluessel_ungueltig',
    () => ({ url: run }),
    'Der Schlüssel fehlt oder gilt nicht.',
    'The key is missing or not valid.',
  ],
  [
    403,
    'bereich_fehlt',
    () => ({
      method: 'POST',
      url: '/v1/ereignisse',
      headers: { ...JSON_TYPE, authorization: `Bearer ${reader}` },
      payload: '{}',
    }),
    'Dem Schlüssel fehlt der Bereich „Senden“.',
    'The key lacks the scope “Senden”.',
  ],
  [
    403,
    'verboten',
    () => ({ url: '/v1/cockpit/benutzer', headers: { cookie: viewer.cookie } }),
    'Dazu fehlt Ihnen das Recht.',
    'You do not have the right to do this.',
  ],
  [
    404,
    'nicht_gefunden',
    () => ({ url: run, headers: { authorization: `Bearer ${reader}` } }),
    'Diesen Lauf gibt es nicht.',
    'This run does not exist.',
  ],
  [
    404,
    'pfad_unbekannt',
    () => ({ url: '/v1/nichts' }),
    'Diesen Pfad gibt es nicht.',
    'There is no such path.',
  ],
  [
    405,
    'methode_unbekannt',
    () => ({ method: 'PUT', url: '/v1/ich' }),
    'Diese Methode gibt es hier nicht.',
    'There is no such method here.',
  ],
  [
    409,
    'zweiter_faktor_nicht_begonnen',
    () => ({
      method: 'POST',
      url: '/v1/cockpit/2fa/bestaetigen',
      headers: { cookie: owner.cookie },
      payload: { code: '123456' },
    }),
    'Bitte beginnen Sie zuerst die Einrichtung.',
    'Please begin setting it up first.',
  ],
  [
    413,
    'zu_gross',
    () => ({
      method: 'POST',
      url: '/v1/anmelden',
      headers: JSON_TYPE,
      payload: `{"email":"${'a'.repeat(2_000_000)}"}`,
    }),
    'Die Anfrage ist zu groß.',
    'The request is too large.',
  ],
  [
    400,
    'adresse_ungueltig',
    () => ({ url: '/v1/laeufe/%E0%A4%A' }),
    'Die Adresse ist ungültig.',
    'The address is not valid.',
  ],
];

async function ask(request: InjectOptions, language?: string) {
  const headers = { ...request.headers, ...(language === undefined ? {} : { 'accept-language': language }) };
  const { statusCode, headers: answered, body } = await service.app.inject({ ...request, headers });
  return {
    statusCode,
    language: answered['content-language'],
    vary: answered.vary,
    ...(JSON.parse(body) as { code: string; detail: unknown }),
  };
}

describe('a refusal', () => {
  it.each(refusals)('%i %s', async (statusCode, code, request, de, en) => {
    const common = { statusCode, code, vary: 'Accept-Language' };
    expect(await ask(request())).toEqual({ ...common, language: 'de', detail: de });
    expect(await ask(request(), 'fr')).toEqual({ ...common, language: 'de', detail: de });
    expect(await ask(request(), 'en-GB,en;q=0.9,de;q=0.5')).toEqual({
      ...common,
      language: 'en',
      detail: en,
    });
  });

  it('429 says in both how long to wait', async () => {
    const email = 'niemand@example.org';
    const login: InjectOptions = {
      method: 'POST',
      url: '/v1/anmelden',
      payload: { email, passwort: 'falsches-passwort' },
    };
    for (let tries = 0; tries < 30; tries += 1) if ((await ask(login)).statusCode === 429) break;
    expect(await ask(login)).toMatchObject({
      statusCode: 429,
      detail: 'Zu viele Versuche. Bitte warten Sie einige Minuten.',
    });
    expect(await ask(login, 'en')).toMatchObject({
      statusCode: 429,
      detail: 'Too many attempts. Please wait a few minutes.',
    });
  });
});

describe('422', () => {
  const register = (passwort: string): InjectOptions => ({
    method: 'POST',
    url: '/v1/registrieren',
    payload: { firma: 'Firma', email: 'jemand@example.org', passwort },
  });

  it('gives our own reasons in the language', async () => {
    const [de, en] = await Promise.all([ask(register('passwort12')), ask(register('passwort12'), 'en')]);
    const reasonIn = (error: string) => [{ msg: `Value error, ${error}`, ctx: { error } }];
    expect(de).toMatchObject({
      language: 'de',
      detail: reasonIn('Dieses Passwort ist leicht zu erraten. Bitte wählen Sie ein anderes.'),
    });
    expect(en).toMatchObject({
      language: 'en',
      detail: reasonIn('This password is easy to guess. Please choose another one.'),
    });
  });

  it('leaves Pydantic’s own words as they are, and says that they are English', async () => {
    expect(await ask(register('kurz'), 'de')).toMatchObject({
      language: 'en',
      detail: [{ msg: 'String should have at least 10 characters' }],
    });
  });
});
