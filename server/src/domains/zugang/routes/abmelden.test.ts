import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { registerAccount } from '#test/account.ts';
import { startService, type TestService } from '#test/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

const logOut = (headers = {}) => service.app.inject({ method: 'POST', url: '/v1/abmelden', headers });

describe('POST /v1/abmelden', () => {
  it('ends the session for good and clears the cookie', async () => {
    const { cookie, benutzerId } = await registerAccount(service);
    const answer = await logOut({ cookie });
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toEqual({ abgemeldet: true });
    expect(answer.headers['set-cookie']).toMatch(
      /^zw_sitzung=; Max-Age=0; Path=\/; Expires=Thu, 01 Jan 1970 00:00:00 GMT; HttpOnly; SameSite=Lax$/,
    );
    expect(answer.headers['clear-site-data']).toBe('"cache"');
    expect((await service.app.inject({ url: '/v1/ich', headers: { cookie } })).statusCode).toBe(401);
    expect(await service.sql('SELECT 1 FROM sitzungen WHERE benutzer_id = $1', [benutzerId])).toEqual([]);
  });

  it.each([{}, { cookie: `zw_sitzung=${'A'.repeat(43)}` }, { cookie: 'zw_sitzung=%E0%A4%A' }])(
    'answers the same without a live session: %j',
    async (headers) => {
      const answer = await logOut(headers);
      expect(answer.statusCode).toBe(200);
      expect(answer.json()).toEqual({ abgemeldet: true });
    },
  );

  it.each([{ 'sec-fetch-site': 'cross-site' }, { origin: 'https://boese.example' }])(
    'refuses a foreign page: %j',
    async (headers) => {
      const { cookie } = await registerAccount(service);
      expect((await logOut({ cookie, ...headers })).statusCode).toBe(403);
      expect((await service.app.inject({ url: '/v1/ich', headers: { cookie } })).statusCode).toBe(200);
    },
  );
});
