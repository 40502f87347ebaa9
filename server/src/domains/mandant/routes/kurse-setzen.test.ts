import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Account, registerAccount } from '#test/account.ts';
import { ADMINISTRATORS, admitting, statusByRole } from '#test/roles.ts';
import { startService, type TestService } from '#test/service.ts';

let service: TestService;
let account: Account;
let other: Account;
beforeAll(async () => {
  service = await startService();
  account = await registerAccount(service);
  other = await registerAccount(service);
});
afterAll(() => service.stop());

const set = (payload: object, headers: Record<string, string> = { cookie: account.cookie }) =>
  service.app.inject({ method: 'PUT', url: '/v1/cockpit/mandant/kurse', headers, payload });

const allowed = async ({ cookie }: Account) =>
  (await service.app.inject({ url: '/v1/cockpit/konto', headers: { cookie } })).json().mandant
    .ersatzkurs_ersetzen;

describe('PUT /v1/cockpit/mandant/kurse', () => {
  it('allows it, for this Mandant alone, and takes it back; changes are in the audit log', async () => {
    expect(await allowed(account)).toBe(false);
    for (const wish of [true, true, false]) {
      const answer = await set({ ersatzkurs_ersetzen: wish });
      expect(answer.statusCode, answer.body).toBe(200);
      expect(answer.json()).toEqual({ ersatzkurs_ersetzen: wish });
      expect([await allowed(account), await allowed(other)]).toEqual([wish, false]);
    }
    const entries = await service.sql(
      `SELECT vorher, nachher FROM pruefprotokoll WHERE mandant_id = $1 AND aktion = 'kurse.geaendert' ORDER BY eintrag_id`,
      [account.mandantId],
    );
    expect(entries).toEqual([
      { vorher: { ersatzkurs_ersetzen: false }, nachher: { ersatzkurs_ersetzen: true } },
      { vorher: { ersatzkurs_ersetzen: true }, nachher: { ersatzkurs_ersetzen: false } },
    ]);
  });

  it.each([{}, { ersatzkurs_ersetzen: null }, { ersatzkurs_ersetzen: 'vielleicht' }])(
    'refuses %j',
    async (body) => {
      const answer = await set(body);
      expect(answer.statusCode).toBe(422);
      expect(answer.json().detail[0].loc).toEqual(['body', 'ersatzkurs_ersetzen']);
    },
  );

  it('is for those who administer, with a session', async () => {
    const statuses = await statusByRole(service, account, ({ cookie }) =>
      set({ ersatzkurs_ersetzen: false }, { cookie }),
    );
    expect(statuses).toEqual(admitting(ADMINISTRATORS));
    expect((await set({ ersatzkurs_ersetzen: true }, {})).statusCode).toBe(401);
  });
});
