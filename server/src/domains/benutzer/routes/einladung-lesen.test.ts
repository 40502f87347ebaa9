import { Writable } from 'node:stream';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createApi } from '#main/api.ts';
import { type Account, registerAccount } from '#test/account.ts';
import { startService, type TestService } from '#test/service.ts';

let service: TestService;
let account: Account;
beforeAll(async () => {
  service = await startService();
  service.clock.set('2026-05-01T10:00:00.123Z');
  account = await registerAccount(service, 'Muster GmbH');
});
afterAll(() => service.stop());

async function invite(email: string, user = account): Promise<string> {
  const answer = await service.app.inject({
    method: 'POST',
    url: '/v1/cockpit/benutzer/einladen',
    headers: { cookie: user.cookie },
    payload: { email, rolle: 'buchhaltung' },
  });
  return answer.json().link.split('token=')[1];
}

const read = (query: Record<string, string>) => service.app.inject({ url: '/v1/einladung', query });

describe('GET /v1/einladung', () => {
  it('says to the holder of the link what it invites to', async () => {
    const answer = await read({ token: await invite('neu@example.org') });
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toEqual({
      email: 'neu@example.org',
      rolle: 'buchhaltung',
      ersetzt_konto: false,
      firma: 'Muster GmbH',
      gueltig_bis: '2026-05-08T10:00:00.123Z',
    });
    expect(answer.headers['referrer-policy']).toBe('no-referrer');
    expect(answer.headers['cache-control']).toBe('no-store');
  });

  it('answers a link that ended like one that never was', async () => {
    const token = await invite('spaet@example.org');
    service.clock.set('2026-05-08T10:00:00.123Z');
    const [ended, unknown] = [await read({ token }), await read({ token: 'x'.repeat(43) })];
    service.clock.set('2026-05-01T10:00:00.123Z');
    expect(ended.statusCode).toBe(404);
    expect(ended.json()).toEqual({ detail: expect.any(String), code: 'einladung_ungueltig' });
    expect(unknown.body).toBe(ended.body);
    expect((await read({ token })).statusCode).toBe(200);
  });

  it('answers no more once the Mandant has cancelled', async () => {
    const other = await registerAccount(service);
    const token = await invite('zu-spaet@example.org', other);
    await service.sql(`UPDATE mandanten SET status = 'gekündigt' WHERE mandant_id = $1`, [other.mandantId]);
    expect((await read({ token })).json().code).toBe('einladung_ungueltig');
  });

  it.each<[Record<string, string>]>([[{}], [{ token: 'x'.repeat(201) }]])(
    'checks its parameter: %#',
    async (query) => {
      const answer = await read(query);
      expect(answer.statusCode).toBe(422);
      expect(answer.json().detail[0].loc).toEqual(['query', 'token']);
      expect(answer.body).not.toContain('xxx');
    },
  );

  it('leaves no trace of the link in the log', async () => {
    const lines: string[] = [];
    const stream = new Writable({
      write(chunk, _encoding, done) {
        lines.push(String(chunk));
        done();
      },
    });
    const app = await createApi(
      { ...service.context, log: pino({ level: 'trace' }, stream) },
      service.operators,
    );
    const token = await invite('log@example.org');
    await app.inject({ url: '/v1/einladung', query: { token } });
    await app.inject({ url: `/einladung?token=${token}` });
    await app.close();
    expect(lines.join('')).toContain('/v1/einladung');
    expect(lines.join('')).not.toContain(token);
  });
});
