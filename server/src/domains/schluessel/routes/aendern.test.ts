import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
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

const change = (id: string, payload: object, headers: Record<string, string> = { cookie: account.cookie }) =>
  service.app.inject({ method: 'PUT', url: `/v1/cockpit/konto/schluessel/${id}`, headers, payload });

describe('PUT /v1/cockpit/konto/schluessel/{schluessel_id}', () => {
  it('sets what is said, leaves the rest, and takes a limit away with null', async () => {
    const { schluesselId } = await createKey(service, account);
    const set = await change(schluesselId, { anfragen_je_minute: 60, ereignisse_je_minute: 6_000 });
    expect(set.statusCode).toBe(200);
    expect(set.json()).toMatchObject({ anfragen_je_minute: 60, ereignisse_je_minute: 6_000 });
    const cleared = await change(schluesselId, { anfragen_je_minute: null });
    expect(cleared.json()).toMatchObject({ anfragen_je_minute: null, ereignisse_je_minute: 6_000 });
    expect((await change(schluesselId, {})).json()).toEqual(cleared.json());
    const entries = await service.sql(
      `SELECT vorher, nachher FROM pruefprotokoll WHERE aktion = 'schluessel.geaendert' AND objekt_id = $1 ORDER BY eintrag_id`,
      [schluesselId],
    );
    expect(entries).toEqual([
      {
        vorher: { anfragen_je_minute: null, ereignisse_je_minute: null },
        nachher: { anfragen_je_minute: 60, ereignisse_je_minute: 6_000 },
      },
      { vorher: { anfragen_je_minute: 60 }, nachher: { anfragen_je_minute: null } },
    ]);
  });

  it('shows what a key was made with', async () => {
    const made = await service.app.inject({
      method: 'POST',
      url: '/v1/cockpit/konto/schluessel',
      headers: { cookie: account.cookie },
      payload: { anfragen_je_minute: 5 },
    });
    expect(made.json()).toMatchObject({ anfragen_je_minute: 5, ereignisse_je_minute: null });
  });

  it.each([0, -1, 1_000_000_000, 1.5, '1e99', 'viele', [], {}])('refuses %j', async (limit) => {
    const { schluesselId } = await createKey(service, account);
    const answer = await change(schluesselId, { ereignisse_je_minute: limit });
    expect(answer.statusCode).toBe(422);
    expect(answer.json().detail[0].loc).toEqual(['body', 'ereignisse_je_minute']);
  });

  it('answers a foreign key like one that does not exist, and leaves it alone', async () => {
    const foreign = await createKey(service, await registerAccount(service));
    const limits = { anfragen_je_minute: 1 };
    const [answer, unknown] = [
      await change(foreign.schluesselId, limits),
      await change(randomUUID(), limits),
    ];
    expect(answer.statusCode).toBe(404);
    expect(answer.body).toBe(unknown.body);
    const rows = await service.sql('SELECT anfragen_je_minute FROM schluessel WHERE schluessel_id = $1', [
      foreign.schluesselId,
    ]);
    expect(rows).toEqual([{ anfragen_je_minute: null }]);
  });

  it('is for those who administer, and wants a session', async () => {
    const { schluesselId, secret } = await createKey(service, account);
    const statuses = await statusByRole(service, account, ({ cookie }) =>
      change(schluesselId, {}, { cookie }),
    );
    expect(statuses).toEqual(admitting(ADMINISTRATORS));
    expect((await change(schluesselId, {}, {})).statusCode).toBe(401);
    expect((await change(schluesselId, {}, { authorization: `Bearer ${secret}` })).statusCode).toBe(401);
  });
});
