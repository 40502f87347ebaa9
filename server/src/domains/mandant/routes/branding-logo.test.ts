import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Account, registerAccount } from '#test/account.ts';
import { admitting, EVERYBODY, statusByRole } from '#test/roles.ts';
import { startService, type TestService } from '#test/service.ts';

const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');
const JPEG = Buffer.from('ffd8ffe000104a464946', 'hex');
const LIMIT = 512 * 1024;

let service: TestService;
let account: Account;
let server: Server;
let respond: (response: ServerResponse) => void;
let address: string;
beforeAll(async () => {
  server = createServer((_request, response) => respond(response)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/logo`;
  service = await startService({ ERLAUBTE_NETZE: '127.0.0.1' });
  account = await registerAccount(service);
  await keepAt(address);
});
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await service.stop();
});

const keepAt = (logo_url: string) =>
  service.app.inject({
    method: 'PUT',
    url: '/v1/cockpit/konto/branding',
    headers: { cookie: account.cookie },
    payload: { logo_url },
  });

const read = (headers: Record<string, string> = { cookie: account.cookie }) =>
  service.app.inject({ url: '/v1/cockpit/konto/branding/logo', headers });

const padded = (beginning: Buffer, length: number) =>
  Buffer.concat([beginning, Buffer.alloc(length - beginning.length)]);

describe('GET /v1/cockpit/konto/branding/logo', () => {
  it.each([
    ['image/png', PNG],
    ['image/jpeg', JPEG],
    ['image/png', padded(PNG, LIMIT)],
  ])('hands on a %s as what its bytes say', async (type, bytes) => {
    respond = (response) => response.setHeader('content-type', 'text/html').end(bytes);
    const answer = await read();
    expect(answer.statusCode).toBe(200);
    expect(answer.rawPayload.equals(bytes)).toBe(true);
    expect(answer.headers).toMatchObject({
      'content-type': type,
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
      'cache-control': 'no-store',
      'content-disposition': 'inline',
    });
  });

  it.each<[string, (response: ServerResponse) => void]>([
    ['an SVG', (response) => response.setHeader('content-type', 'image/png').end('<svg onload="alert(1)"/>')],
    ['a page', (response) => response.end('<html>geheim</html>')],
    ['nothing', (response) => response.end()],
    ['a picture too large', (response) => response.end(padded(PNG, LIMIT + 1))],
    ['an error with a picture', (response) => response.writeHead(404).end(PNG)],
    ['a way elsewhere', (response) => response.writeHead(302, { location: address }).end(PNG)],
    ['a broken connection', (response) => response.destroy()],
  ])('refuses %s with one answer', async (_name, answerWith) => {
    respond = answerWith;
    const answer = await read();
    expect(answer.statusCode).toBe(409);
    expect(answer.json()).toEqual({
      detail:
        'Unter der eingetragenen Adresse ist kein Logo zu laden: ein PNG oder JPEG von höchstens 512 KiB.',
      code: 'logo_nicht_ladbar',
    });
  });

  it('does not reach inside, also when the address was let in before', async () => {
    let asked = false;
    respond = (response) => {
      asked = true;
      response.end(PNG);
    };
    await service.sql('UPDATE mandanten SET branding_logo_url = $2 WHERE mandant_id = $1', [
      account.mandantId,
      address.replace('127.0.0.1', '127.0.0.2'),
    ]);
    const answer = await read();
    await keepAt(address);
    expect(answer.statusCode).toBe(409);
    expect(asked).toBe(false);
  });

  it('is fetched no more often for a Mandant and a network than anybody looks at it', async () => {
    let fetched = 0;
    respond = (response) => {
      fetched += 1;
      response.end(PNG);
    };
    const [other, third] = [await registerAccount(service), await registerAccount(service)];
    await service.sql('DELETE FROM drosselung');
    const from = (remoteAddress: string, { cookie } = account) =>
      service.app.inject({ url: '/v1/cockpit/konto/branding/logo', remoteAddress, headers: { cookie } });
    expect((await from('192.0.2.1')).statusCode).toBe(200);
    await service.sql('UPDATE drosselung SET points = 300');
    const refused = await from('192.0.2.2');
    expect(refused.statusCode).toBe(429);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect((await from('192.0.2.1', other)).json().code).toBe('kein_logo');
    await service.sql('UPDATE drosselung SET points = 1000');
    expect((await from('192.0.2.1', third)).statusCode).toBe(429);
    expect((await from('192.0.2.3', third)).statusCode).toBe(404);
    expect(fetched).toBe(1);
    await service.sql('DELETE FROM drosselung');
  });

  it('answers 404 while none is set', async () => {
    const { cookie } = await registerAccount(service);
    const answer = await read({ cookie });
    expect(answer.statusCode).toBe(404);
    expect(answer.json()).toEqual({ detail: 'Es ist kein Logo eingetragen.', code: 'kein_logo' });
  });

  it('is open to every role', async () => {
    respond = (response) => response.end(PNG);
    const statuses = await statusByRole(service, account, ({ cookie }) => read({ cookie }));
    expect(statuses).toEqual(admitting(EVERYBODY));
  });

  it('wants a session', async () => {
    expect((await read({})).statusCode).toBe(401);
  });
});
