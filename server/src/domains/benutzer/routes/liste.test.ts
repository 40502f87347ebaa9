import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Account, addUser, registerAccount } from '#test/account.ts';
import { ADMINISTRATORS, admitting, statusByRole } from '#test/roles.ts';
import { startService, type TestService } from '#test/service.ts';

let service: TestService;
let account: Account;
beforeAll(async () => {
  service = await startService();
  service.clock.set('2026-05-01T10:00:00.123Z');
  account = await registerAccount(service);
});
afterAll(() => service.stop());

const list = (headers: Record<string, string> = { cookie: account.cookie }) =>
  service.app.inject({ url: '/v1/cockpit/benutzer', headers });

const invite = (email: string, { cookie }: Account) =>
  service.app.inject({
    method: 'POST',
    url: '/v1/cockpit/benutzer/einladen',
    headers: { cookie },
    payload: { email },
  });

describe('GET /v1/cockpit/benutzer', () => {
  it('shows the users of the Mandant and whom it invited, nobody else', async () => {
    const fresh = await registerAccount(service);
    const other = await addUser(service, fresh, 'betrachter');
    const old = '2026-04-30T08:00:00.000Z';
    await service.sql('UPDATE benutzer SET erstellt_am = $2 WHERE benutzer_id = $1', [other.benutzerId, old]);
    await service.sql('DELETE FROM sitzungen WHERE benutzer_id = $1', [other.benutzerId]);
    await service.sql(
      `INSERT INTO zweite_faktoren (mandant_id, benutzer_id, geheimnis, erstellt_am, bestaetigt_am)
       VALUES ($1, $2, '', $3, $3), ($1, $4, '', $3, NULL)`,
      [fresh.mandantId, other.benutzerId, old, fresh.benutzerId],
    );
    await invite('neu@example.org', fresh);
    await invite('fremd@example.org', account);
    const answer = await list({ cookie: fresh.cookie });
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toEqual({
      benutzer: [
        {
          benutzer_id: other.benutzerId,
          email: other.email,
          name: null,
          rolle: 'betrachter',
          aktiv: true,
          zweiter_faktor: true,
          erstellt_am: old,
          zuletzt_am: null,
        },
        {
          benutzer_id: fresh.benutzerId,
          email: fresh.email,
          name: null,
          rolle: 'inhaber',
          aktiv: true,
          // Begun, but not confirmed.
          zweiter_faktor: false,
          erstellt_am: '2026-05-01T10:00:00.123Z',
          zuletzt_am: '2026-05-01T10:00:00.123Z',
        },
      ],
      einladungen: [
        {
          einladung_id: expect.any(String),
          email: 'neu@example.org',
          rolle: 'betrachter',
          eingeladen_von: fresh.email,
          status: 'offen',
          erstellt_am: '2026-05-01T10:00:00.123Z',
          gueltig_bis: '2026-05-08T10:00:00.123Z',
        },
      ],
      weiter: null,
    });
  });

  it('shows the last use of the session used last', async () => {
    const fresh = await registerAccount(service);
    service.clock.set('2026-05-01T11:00:00.000Z');
    const { cookie } = fresh;
    await list({ cookie });
    const answer = await list({ cookie });
    service.clock.set('2026-05-01T10:00:00.123Z');
    expect(answer.json().benutzer[0].zuletzt_am).toBe('2026-05-01T11:00:00.000Z');
  });

  it('shows an invitation that has ended as such', async () => {
    const fresh = await registerAccount(service);
    await invite('spaet@example.org', fresh);
    await service.sql('UPDATE einladungen SET gueltig_bis = $2 WHERE mandant_id = $1', [
      fresh.mandantId,
      '2026-05-01T10:00:00.123Z',
    ]);
    expect((await list({ cookie: fresh.cookie })).json().einladungen[0].status).toBe('abgelaufen');
  });

  it('is for those who administer', async () => {
    const statuses = await statusByRole(service, account, ({ cookie }) => list({ cookie }));
    expect(statuses).toEqual(admitting(ADMINISTRATORS));
  });

  it('wants a session', async () => {
    expect((await list({})).statusCode).toBe(401);
  });
});
