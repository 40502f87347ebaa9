import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Account, addUser, logIn, registerAccount } from '#test/account.ts';
import { ADMINISTRATORS, admitting, statusByRole } from '#test/roles.ts';
import { startService, type TestService } from '#test/service.ts';

let service: TestService;
let account: Account;
beforeAll(async () => {
  service = await startService();
  account = await registerAccount(service);
});
afterAll(() => service.stop());

const change = (id: string, payload: object, user: Account | null = account) =>
  service.app.inject({
    method: 'PUT',
    url: `/v1/cockpit/benutzer/${id}`,
    headers: user ? { cookie: user.cookie } : {},
    payload,
  });

const statusOf = async ({ cookie }: Account) =>
  (await service.app.inject({ url: '/v1/ich', headers: { cookie } })).statusCode;

const entriesOf = (id: string) =>
  service.sql(
    `SELECT vorher, nachher FROM pruefprotokoll
     WHERE objekt_id = $1 AND aktion = 'benutzer.geaendert' ORDER BY eintrag_id`,
    [id],
  );

const activeInhaber = async ({ mandantId }: Account) =>
  (
    await service.sql(
      `SELECT email FROM benutzer WHERE mandant_id = $1 AND rolle = 'inhaber' AND aktiv ORDER BY email`,
      [mandantId],
    )
  ).map(({ email }) => email);

const statuses = (answers: { statusCode: number }[]) => answers.map(({ statusCode }) => statusCode).sort();

describe('PUT /v1/cockpit/benutzer/{benutzer_id}', () => {
  it('changes what is given and nothing else', async () => {
    const user = await addUser(service, account, 'betrachter');
    const before = (await change(user.benutzerId, {})).json();
    const answer = await change(user.benutzerId, { name: 'Anna', rolle: null });
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toEqual({ ...before, name: 'Anna' });
    expect((await change(user.benutzerId, { name: null })).json()).toEqual({ ...before, name: 'Anna' });
    expect((await change(user.benutzerId, { rolle: 'bearbeiter' })).json()).toEqual({
      ...before,
      name: 'Anna',
      rolle: 'bearbeiter',
      zuletzt_am: null,
    });
    expect(await entriesOf(user.benutzerId)).toEqual([
      { vorher: { name: null }, nachher: { name: 'Anna' } },
      { vorher: { rolle: 'betrachter' }, nachher: { rolle: 'bearbeiter' } },
    ]);
  });

  it('ends the sessions with the role, at once and only then', async () => {
    const user = await addUser(service, account, 'betrachter');
    await change(user.benutzerId, { name: 'Bert', rolle: 'betrachter', aktiv: true });
    expect(await statusOf(user)).toBe(200);
    await change(user.benutzerId, { rolle: 'buchhaltung' });
    expect(await statusOf(user)).toBe(401);
    expect((await logIn(service, user.email)).json().benutzer.rolle).toBe('buchhaltung');
    expect(await statusOf(account)).toBe(200);
  });

  it('shuts a user out and lets them in again', async () => {
    const user = await addUser(service, account, 'betrachter');
    expect((await change(user.benutzerId, { aktiv: false })).json().aktiv).toBe(false);
    expect(await statusOf(user)).toBe(401);
    expect((await logIn(service, user.email)).statusCode).toBe(401);
    await change(user.benutzerId, { aktiv: true });
    expect(await statusOf(user)).toBe(401);
    expect((await logIn(service, user.email)).statusCode).toBe(200);
  });

  it.each([{ aktiv: false }, { rolle: 'verwalter' }])(
    '%j ends the links for a new password, too',
    async (payload) => {
      const user = await addUser(service, account, 'betrachter');
      const asked = {
        method: 'POST',
        url: '/v1/passwort/vergessen',
        payload: { email: user.email },
      } as const;
      const { link } = (await service.app.inject(asked)).json();
      await change(user.benutzerId, payload);
      await change(user.benutzerId, { aktiv: true });
      const answer = await service.app.inject({
        method: 'POST',
        url: '/v1/passwort/neu',
        payload: { token: new URL(link).searchParams.get('token'), passwort: 'ein-neues-passwort' },
      });
      expect(answer.statusCode).toBe(404);
    },
  );

  it.each([
    [{ rolle: 'verwalter' }, ['verwalter', 'betrachter']],
    [{ rolle: 'bearbeiter' }, []],
    [{ aktiv: false }, []],
    [{ name: 'Eva' }, ['inhaber', 'verwalter', 'betrachter']],
  ])('%j leaves the invitations that the user could still make', async (payload, left) => {
    const user = await addUser(service, account, 'inhaber');
    for (const rolle of ['inhaber', 'verwalter', 'betrachter'])
      await service.app.inject({
        method: 'POST',
        url: '/v1/cockpit/benutzer/einladen',
        headers: { cookie: user.cookie },
        payload: { email: `${randomUUID()}@example.org`, rolle },
      });
    await change(user.benutzerId, payload);
    const rows = await service.sql('SELECT rolle FROM einladungen WHERE eingeladen_von = $1', [user.email]);
    expect(rows.map(({ rolle }) => rolle).sort()).toEqual([...left].sort());
    const entries = await entriesOf(user.benutzerId);
    expect(entries.at(-1)?.nachher.beendete_einladungen ?? 0).toBe(3 - left.length);
  });

  it('takes nothing else along', async () => {
    const user = await addUser(service, account, 'betrachter');
    const other = await registerAccount(service);
    const payload = {
      name: 'Carl',
      betreiber: true,
      mandant_id: other.mandantId,
      email: 'anders@example.org',
      passwort_hash: 'x',
      zweiter_faktor: true,
    };
    expect((await change(user.benutzerId, payload)).statusCode).toBe(200);
    const rows = await service.sql(
      `SELECT mandant_id, email, name, passwort_hash LIKE '$argon2id$%' AS hash,
         EXISTS (SELECT FROM betreiber o WHERE o.benutzer_id = b.benutzer_id) AS betreiber
       FROM benutzer b WHERE benutzer_id = $1`,
      [user.benutzerId],
    );
    expect(rows).toEqual([
      { mandant_id: account.mandantId, email: user.email, name: 'Carl', hash: true, betreiber: false },
    ]);
  });

  it('keeps a verwalter from every inhaber and from becoming one', async () => {
    const verwalter = await addUser(service, account, 'verwalter');
    const inhaber = await addUser(service, account, 'inhaber');
    const betrachter = await addUser(service, account, 'betrachter');
    for (const [id, payload] of [
      [inhaber.benutzerId, { rolle: 'verwalter' }],
      [inhaber.benutzerId, { aktiv: false }],
      [inhaber.benutzerId, { name: 'Umbenannt' }],
      [verwalter.benutzerId, { rolle: 'inhaber' }],
      [betrachter.benutzerId, { rolle: 'inhaber' }],
    ] as const) {
      const answer = await change(id, payload, verwalter);
      expect(answer.statusCode).toBe(403);
      expect(answer.json().code).toBe('verboten');
    }
    expect(await statusOf(inhaber)).toBe(200);
    expect((await change(betrachter.benutzerId, { rolle: 'verwalter' }, verwalter)).statusCode).toBe(200);
  });

  it.each([{ rolle: 'verwalter' }, { aktiv: false }, { rolle: 'betrachter', aktiv: false }])(
    'keeps the last active inhaber: %j',
    async (payload) => {
      const fresh = await registerAccount(service);
      const disabled = await addUser(service, fresh, 'inhaber');
      await change(disabled.benutzerId, { aktiv: false }, fresh);
      const answer = await change(fresh.benutzerId, payload, fresh);
      expect(answer.statusCode).toBe(409);
      expect(answer.json()).toEqual({ detail: expect.any(String), code: 'letzter_inhaber' });
      expect(await activeInhaber(fresh)).toEqual([fresh.email]);
      expect(await statusOf(fresh)).toBe(200);
    },
  );

  it('lets an inhaber step down where another one stays', async () => {
    const fresh = await registerAccount(service);
    const second = await addUser(service, fresh, 'inhaber');
    expect((await change(second.benutzerId, { rolle: 'betrachter' }, second)).statusCode).toBe(200);
    expect(await statusOf(second)).toBe(401);
    expect(await activeInhaber(fresh)).toEqual([fresh.email]);
  });

  it('keeps one inhaber when all step down at once', async () => {
    const fresh = await registerAccount(service);
    const all = [
      fresh,
      await addUser(service, fresh, 'inhaber'),
      await addUser(service, fresh, 'inhaber'),
      await addUser(service, fresh, 'inhaber'),
    ];
    const answers = await Promise.all(
      all.map((self) => change(self.benutzerId, { rolle: 'betrachter' }, self)),
    );
    expect(statuses(answers)).toEqual([200, 200, 200, 409]);
    expect(await activeInhaber(fresh)).toHaveLength(1);
  });

  it('lets one of two win who turn each other out at once', async () => {
    const fresh = await registerAccount(service);
    const second = await addUser(service, fresh, 'inhaber');
    const answers = await Promise.all([
      change(second.benutzerId, { aktiv: false }, fresh),
      change(fresh.benutzerId, { aktiv: false }, second),
    ]);
    const [won, lost] = statuses(answers);
    expect(won).toBe(200);
    // Out already when the request arrives, or while it waits for its turn.
    expect([401, 403]).toContain(lost);
    expect(await activeInhaber(fresh)).toHaveLength(1);
  });

  it('answers a foreign user like one that does not exist, and leaves it alone', async () => {
    const foreign = await registerAccount(service);
    const [answer, unknown] = [
      await change(foreign.benutzerId, { aktiv: false }),
      await change(randomUUID(), { aktiv: false }),
    ];
    expect(answer.statusCode).toBe(404);
    expect(answer.json().code).toBe('nicht_gefunden');
    expect(answer.body).toBe(unknown.body);
    expect(await statusOf(foreign)).toBe(200);
  });

  it.each([
    [{ rolle: 'betreiber' }, ['body', 'rolle']],
    [{ aktiv: 'vielleicht' }, ['body', 'aktiv']],
    [{ name: '' }, ['body', 'name']],
    [{ name: 'x'.repeat(121) }, ['body', 'name']],
    [{ name: 'Anna\u202e' }, ['body', 'name']],
    [{ name: 'https://boese.example' }, ['body', 'name']],
  ])('checks its body: %j', async (payload, loc) => {
    const answer = await change(account.benutzerId, payload);
    expect(answer.statusCode).toBe(422);
    expect(answer.json().detail[0].loc).toEqual(loc);
  });

  it('checks the id', async () => {
    const answer = await change('abc', {});
    expect(answer.statusCode).toBe(422);
    expect(answer.json().detail[0].loc).toEqual(['path', 'benutzer_id']);
  });

  it('is for those who administer', async () => {
    const { benutzerId } = await addUser(service, account, 'betrachter');
    const statuses = await statusByRole(service, account, (user, rolle) =>
      change(benutzerId, { name: `Dora von ${rolle}` }, user),
    );
    expect(statuses).toEqual(admitting(ADMINISTRATORS));
  });

  it('wants a session', async () => {
    expect((await change(account.benutzerId, {}, null)).statusCode).toBe(401);
  });
});
