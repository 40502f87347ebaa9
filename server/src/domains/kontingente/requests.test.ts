/** Quotas as senders meet them: at every door that takes a key. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Account, createKey, type Key, registerAccount } from '#test/account.ts';
import { startService, type TestService } from '#test/service.ts';

let service: TestService;
let account: Account;
beforeAll(async () => {
  service = await startService({ KONTINGENT_EREIGNISSE_JE_MINUTE: '1000' });
});
afterAll(() => service.stop());

const limitKey = ({ schluesselId }: Key, column: string, limit: number) =>
  service.sql(`UPDATE schluessel SET ${column} = $2 WHERE schluessel_id = $1`, [schluesselId, limit]);

async function newKey(limits: Record<string, number> = {}): Promise<Key> {
  const key = await createKey(service, account);
  for (const [column, limit] of Object.entries(limits)) await limitKey(key, column, limit);
  return key;
}

beforeAll(async () => {
  account = await registerAccount(service);
});

const send = (secret: string, events: number, headers: Record<string, string> = {}) =>
  service.app.inject({
    method: 'POST',
    url: '/v1/ereignisse',
    headers: { authorization: `Bearer ${secret}`, ...headers },
    payload: { ereignisse: Array.from({ length: events }, () => ({ agent: 'a' })) },
  });
const get = (secret: string, url: string) =>
  service.app.inject({ url, headers: { authorization: `Bearer ${secret}` } });

const waiting = async ({ mandantId }: Account) => {
  const [row] = await service.sql<{ anzahl: number }>(
    'SELECT coalesce(sum(anzahl), 0)::int AS anzahl FROM eingang WHERE mandant_id = $1',
    [mandantId],
  );
  return row?.anzahl;
};

test('beyond it a batch is refused whole, in the language asked for, with the seconds to wait', async () => {
  const key = await newKey({ ereignisse_je_minute: 10 });
  const before = await waiting(account);
  expect((await send(key.secret, 10)).statusCode).toBe(202);
  const refused = await send(key.secret, 3);
  expect(refused.statusCode).toBe(429);
  expect(refused.headers['retry-after']).toMatch(/^[1-9]\d*$/);
  expect(refused.json()).toEqual({
    code: 'kontingent_schluessel',
    detail: 'Der Schlüssel hat sein Kontingent von 10 Ereignissen je Minute ausgeschöpft.',
  });
  const english = await send(key.secret, 3, { 'accept-language': 'en' });
  expect(english.json().detail).toBe('The key has used up its quota of 10 events a minute.');
  expect(await waiting(account)).toBe((before ?? 0) + 10);
});

test('the body of what is refused is not read: even one that is no JSON gets 429', async () => {
  const key = await newKey({ anfragen_je_minute: 1 });
  await send(key.secret, 1);
  const answer = await service.app.inject({
    method: 'POST',
    url: '/v1/ereignisse',
    headers: { authorization: `Bearer ${key.secret}`, 'content-type': 'application/json' },
    payload: '{',
  });
  expect(answer.statusCode).toBe(429);
});

test('credentials come first, and what a key may not do is not counted', async () => {
  const sending = await createKey(service, account, ['Senden']);
  await limitKey(sending, 'anfragen_je_minute', 1);
  for (let n = 0; n < 3; n += 1) expect((await get(sending.secret, '/v1/laeufe')).statusCode).toBe(403);
  expect((await send(sending.secret, 1)).statusCode).toBe(202);
  expect((await send(sending.secret, 1)).statusCode).toBe(429);
  expect((await send(`${sending.secret.slice(0, -1)}_`, 1)).statusCode).toBe(401);
});

test('a batch repeated under its key is counted once, one that was refused not at all', async () => {
  const key = await newKey({ ereignisse_je_minute: 10 });
  const idempotent = { 'idempotency-key': randomUUID() };
  for (let n = 0; n < 4; n += 1) expect((await send(key.secret, 5, idempotent)).statusCode).toBe(202);
  const faulty = await service.app.inject({
    method: 'POST',
    url: '/v1/ereignisse',
    headers: { authorization: `Bearer ${key.secret}` },
    payload: { ereignisse: Array(9).fill({ eingabe_token: -1 }) },
  });
  expect(faulty.statusCode).toBe(422);
  expect((await send(key.secret, 5)).statusCode).toBe(202);
  expect((await send(key.secret, 1)).statusCode).toBe(429);
});

test('reading has a quota of its own; what interventions are in force can always be asked', async () => {
  const key = await newKey({ anfragen_je_minute: 1 });
  expect((await get(key.secret, '/v1/agenten')).statusCode).toBe(200);
  expect((await get(key.secret, '/v1/agenten')).statusCode).toBe(429);
  expect((await get(key.secret, '/v1/laeufe')).statusCode).toBe(429);
  expect((await send(key.secret, 1)).statusCode).toBe(202);
  for (let n = 0; n < 3; n += 1) {
    expect((await get(key.secret, '/v1/eingriffe/aktiv')).statusCode).toBe(200);
    expect((await get(key.secret, '/v1/anbindung/pruefen')).statusCode).toBe(200);
  }
});

test('a Mandant without a quota of its own has that of the configuration, all its keys together', async () => {
  const other = await registerAccount(service);
  const keys = await Promise.all([1, 2, 3].map(() => createKey(service, other)));
  const statuses: number[] = [];
  // More than there is: an event is back after 60 ms, and answers may take longer.
  for (const { secret } of keys) statuses.push((await send(secret, 800)).statusCode);
  expect(statuses).toEqual([202, 202, 429]);
  const answer = await send(keys[0]?.secret ?? '', 1);
  expect(answer.json()).toMatchObject({ code: 'kontingent_mandant' });
  expect((await send((await newKey()).secret, 1)).statusCode).toBe(202);
});

test('what is refused stands in the metrics by its code', async () => {
  const key = await newKey({ anfragen_je_minute: 1 });
  for (let n = 0; n < 3; n += 1) await send(key.secret, 1);
  const { body } = await service.app.inject({ url: '/metrics' });
  expect(body).toMatch(/^zaehlwerk_refused_total\{code="kontingent_schluessel"\} [2-9]/m);
  expect(body).toMatch(/^zaehlwerk_refused_total\{code="kontingent_mandant"\} [1-9]/m);
});
