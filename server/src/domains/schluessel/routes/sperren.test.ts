import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type Account, createKey, registerAccount } from '#test/account.ts';
import { ADMINISTRATORS, admitting, statusByRole } from '#test/roles.ts';
import { startService, type TestService } from '#test/service.ts';

let service: TestService;
let account: Account;
beforeAll(async () => {
  service = await startService();
  account = await registerAccount(service);
});
afterAll(() => service.stop());

const block = (id: string, headers: Record<string, string> = { cookie: account.cookie }) =>
  service.app.inject({ method: 'DELETE', url: `/v1/cockpit/konto/schluessel/${id}`, headers });

const use = (secret: string) =>
  service.app.inject({ url: '/v1/anbindung/pruefen', headers: { authorization: `Bearer ${secret}` } });

describe('DELETE /v1/cockpit/konto/schluessel/{schluessel_id}', () => {
  it('blocks the key once and answers a repeated call the same', async () => {
    const key = await createKey(service, account);
    service.clock.set('2026-05-01T10:00:00.000Z');
    const first = await block(key.schluesselId);
    expect(first.statusCode).toBe(200);
    expect(first.json()).toMatchObject({ status: 'gesperrt', gesperrt_am: '2026-05-01T10:00:00.000Z' });
    expect(first.body).not.toContain(key.secret);
    service.clock.set('2026-05-01T11:00:00.000Z');
    const second = await block(key.schluesselId);
    expect(second.statusCode).toBe(200);
    expect(second.body).toBe(first.body);
  });

  it('takes effect within a second, for a key in use too', async () => {
    const key = await createKey(service, account);
    expect((await use(key.secret)).statusCode).toBe(200);
    await block(key.schluesselId);
    const later = performance.now() + 1_000;
    const clock = vi.spyOn(performance, 'now').mockReturnValue(later);
    try {
      expect((await use(key.secret)).statusCode).toBe(401);
    } finally {
      clock.mockRestore();
    }
  });

  it('takes any spelling of the id', async () => {
    const key = await createKey(service, account);
    expect((await block(key.schluesselId.toUpperCase().replaceAll('-', ''))).statusCode).toBe(200);
  });

  it('answers a foreign key like one that does not exist, and leaves it alone', async () => {
    const foreign = await createKey(service, await registerAccount(service));
    const [answer, unknown] = [await block(foreign.schluesselId), await block(randomUUID())];
    expect(answer.statusCode).toBe(404);
    expect(answer.json().code).toBe('nicht_gefunden');
    expect(answer.body).toBe(unknown.body);
    expect((await use(foreign.secret)).statusCode).toBe(200);
  });

  it('checks the id', async () => {
    const answer = await block('abc');
    expect(answer.statusCode).toBe(422);
    expect(answer.json().detail[0].loc).toEqual(['path', 'schluessel_id']);
  });

  it('is for those who administer', async () => {
    const statuses = await statusByRole(service, account, async ({ cookie }) =>
      block((await createKey(service, account)).schluesselId, { cookie }),
    );
    expect(statuses).toEqual(admitting(ADMINISTRATORS));
  });

  it('wants a session', async () => {
    const key = await createKey(service, account);
    expect((await block(key.schluesselId, {})).statusCode).toBe(401);
    expect((await block(key.schluesselId, { authorization: `Bearer ${key.secret}` })).statusCode).toBe(401);
  });

  it.each([{ 'sec-fetch-site': 'cross-site' }, { origin: 'https://boese.example' }])(
    'refuses a foreign page: %j',
    async (headers) => {
      const key = await createKey(service, account);
      const answer = await block(key.schluesselId, {
        cookie: account.cookie,
        ...(headers as Record<string, string>),
      });
      expect(answer.statusCode).toBe(403);
      expect((await use(key.secret)).statusCode).toBe(200);
    },
  );
});
