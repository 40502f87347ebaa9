import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Account, createKey, registerAccount } from '#test/account.ts';
import { startService, type TestService } from '#test/service.ts';
import { countAll } from '#test/tenants.ts';

let service: TestService;
let account: Account;
let secret: string;
beforeAll(async () => {
  service = await startService();
  service.clock.set('2026-03-10T12:00:10Z');
  account = await registerAccount(service);
  ({ secret } = await createKey(service, account));
});
afterAll(() => service?.stop());

const FIGURES = '/v1/cockpit/uebersicht?zeitraum=heute';

const read = (headers: Record<string, string> = {}, url = FIGURES, method: 'GET' | 'HEAD' = 'GET') =>
  service.app.inject({ method, url, headers: { cookie: account.cookie, ...headers } });
const tagOf = async (url = FIGURES) => (await read({}, url)).headers.etag as string;

async function sendCall(): Promise<void> {
  const sent = await service.app.inject({
    method: 'POST',
    url: '/v1/ereignisse',
    headers: { authorization: `Bearer ${secret}` },
    payload: { ereignisse: [{ modell: 'gpt-4o', eingabe_token: 1 }] },
  });
  expect(sent.statusCode).toBe(202);
  await countAll(service);
}

describe('figures that the client has already', () => {
  it('are confirmed without a body, and say again how long they may be kept', async () => {
    const etag = await tagOf();
    const answer = await read({ 'if-none-match': etag, 'accept-encoding': 'br' });
    expect(answer.statusCode).toBe(304);
    expect(answer.rawPayload.length).toBe(0);
    expect(answer.headers).toMatchObject({
      etag,
      'cache-control': 'private, no-cache',
      vary: 'Cookie, Authorization, Accept-Encoding',
    });
    for (const name of ['content-length', 'content-type', 'content-encoding'])
      expect(answer.headers).not.toHaveProperty(name);
  });

  it('depend on every header that may hold the key', async () => {
    const url = '/v1/eingriffe/aktiv';
    const ways = [{ 'x-svc-key': secret }, { authorization: `Bearer ${secret}` }];
    for (const headers of ways) {
      const answer = await service.app.inject({ url, headers });
      expect(answer.statusCode).toBe(200);
      expect(answer.headers.vary).toBe('Cookie, Authorization, X-SVC-Key, Accept-Encoding');
    }
  });

  it.each([
    ['strong', (etag: string) => etag.slice(2)],
    ['among others', (etag: string) => `"x", ${etag} , W/"y"`],
    ['whatever they are', () => '*'],
  ])('are confirmed when they are named %s', async (_how, name) => {
    expect((await read({ 'if-none-match': name(await tagOf()) })).statusCode).toBe(304);
  });

  it.each([['W/"x"'], ['x'], [''], ['"']])('are sent when the client has %j', async (given) => {
    expect((await read({ 'if-none-match': given })).statusCode).toBe(200);
  });

  it('are sent to who insists', async () => {
    const headers = { 'if-none-match': await tagOf(), 'cache-control': 'no-cache' };
    expect((await read(headers)).statusCode).toBe(200);
  });

  it('are named alike whatever way they are packed, and without a body', async () => {
    const etag = await tagOf();
    expect((await read({ 'accept-encoding': 'br' })).headers.etag).toBe(etag);
    expect((await read({}, FIGURES, 'HEAD')).headers.etag).toBe(etag);
    const head = await read({ 'if-none-match': etag }, FIGURES, 'HEAD');
    expect(head.statusCode).toBe(304);
    expect(head.headers).not.toHaveProperty('content-length');
  });

  it('are the same some seconds later, and others in the next minute and after the next call', async () => {
    const etag = await tagOf();
    service.clock.set('2026-03-10T12:00:40Z');
    expect(await tagOf()).toBe(etag);
    service.clock.set('2026-03-10T12:01:10Z');
    const later = await tagOf();
    expect(later).not.toBe(etag);
    await sendCall();
    expect(await tagOf()).not.toBe(later);
  });

  it('of a day that is over are the same after a call of today', async () => {
    const yesterday = '/v1/cockpit/uebersicht?zeitraum=gestern';
    service.clock.set('2026-03-10T12:05:10Z');
    await sendCall();
    const etag = await tagOf(yesterday);
    service.clock.set('2026-03-10T12:05:20Z');
    const today = await tagOf();
    await sendCall();
    expect(await tagOf(yesterday)).toBe(etag);
    expect(await tagOf()).not.toBe(today);
  });

  it('are confirmed to a key, too', async () => {
    const url = '/v1/api/verbrauch?von=2026-03-01&bis=2026-03-11';
    const headers = { authorization: `Bearer ${secret}` };
    const { etag } = (await service.app.inject({ url, headers })).headers;
    const again = { ...headers, 'if-none-match': etag as string };
    expect((await service.app.inject({ url, headers: again })).statusCode).toBe(304);
  });

  it('are confirmed to nobody who may not read them', async () => {
    const etag = await tagOf();
    const answer = await service.app.inject({ url: FIGURES, headers: { 'if-none-match': etag } });
    expect(answer.statusCode).toBe(401);
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(answer.headers).not.toHaveProperty('etag');
    const other = await registerAccount(service);
    const foreign = await read({ cookie: other.cookie, 'if-none-match': etag });
    expect(foreign.statusCode).toBe(200);
  });
});

it.each(['/v1/ich', '/v1/cockpit/sitzungen', '/v1/cockpit/konto', '/v1/cockpit/pruefprotokoll'])(
  'of %s nothing is kept',
  async (url) => {
    const answer = await read({ 'if-none-match': '*' }, url);
    expect(answer.statusCode).toBe(200);
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(answer.headers).not.toHaveProperty('etag');
  },
);

it('the description is confirmed to everybody', async () => {
  const etag = await tagOf('/openapi.json');
  const answer = await read({ 'if-none-match': etag }, '/openapi.json');
  expect(answer.statusCode).toBe(304);
  expect(answer.headers['cache-control']).toBe('no-cache');
});
