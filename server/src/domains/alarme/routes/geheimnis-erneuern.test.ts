import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Account, registerAccount } from '#test/account.ts';
import { ADMINISTRATORS, admitting, statusByRole } from '#test/roles.ts';
import { startService, type TestService } from '#test/service.ts';

let service: TestService;
let account: Account;
beforeAll(async () => {
  service = await startService();
  account = await registerAccount(service);
});
afterAll(() => service.stop());

const renew = (headers: Record<string, string> = { cookie: account.cookie }) =>
  service.app.inject({ method: 'POST', url: '/v1/cockpit/mandant/alarme/geheimnis', headers });
const read = (url: string, cookie: string) => service.app.inject({ url, headers: { cookie } });

describe('POST /v1/cockpit/mandant/alarme/geheimnis', () => {
  it('makes a secret that is shown once, and keeps it sealed', async () => {
    service.clock.set('2026-05-01T10:00:00.000Z');
    const { cookie, mandantId } = await registerAccount(service);
    const first = await renew({ cookie });
    expect(first.statusCode).toBe(201);
    expect(first.json()).toEqual({
      geheimnis: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
      unterschrift_seit: '2026-05-01T10:00:00.000Z',
      unterschrift_frueher_bis: null,
    });
    service.clock.set('2026-05-01T11:00:00.000Z');
    const second = await renew({ cookie });
    expect(second.json().unterschrift_frueher_bis).toBe('2026-05-02T11:00:00.000Z');
    expect(second.json().geheimnis).not.toBe(first.json().geheimnis);

    const settings = await read('/v1/cockpit/mandant/alarme/einstellungen', cookie);
    expect(settings.json()).toMatchObject({
      unterschrift_seit: '2026-05-01T11:00:00.000Z',
      unterschrift_frueher_bis: '2026-05-02T11:00:00.000Z',
    });
    const others = [
      settings,
      await read('/v1/cockpit/pruefprotokoll', cookie),
      await read('/v1/cockpit/konto', cookie),
    ];
    const [row] = await service.sql<{ stored: string }>(
      `SELECT encode(geheimnisse, 'escape') AS stored FROM alarm_einstellungen WHERE mandant_id = $1`,
      [mandantId],
    );
    for (const text of [...others.map(({ body }) => body), row?.stored ?? 'whsec_'])
      expect(text).not.toContain('whsec_');
  });

  it('is for those who administer', async () => {
    const statuses = await statusByRole(service, account, ({ cookie }) => renew({ cookie }));
    expect(statuses).toEqual(admitting(ADMINISTRATORS, 201));
  });

  it('wants a session', async () => {
    expect((await renew({})).statusCode).toBe(401);
  });
});
