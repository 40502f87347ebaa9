import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Account, addUser, registerAccount } from '#test/account.ts';
import { admitting, EVERYBODY, statusByRole } from '#test/roles.ts';
import { startService, type TestService } from '#test/service.ts';

let service: TestService;
let account: Account;
beforeAll(async () => {
  service = await startService();
  account = await registerAccount(service);
});
afterAll(() => service.stop());

const call = (method: 'POST' | 'PUT', url: string, payload: object, user: Account | null) =>
  service.app.inject({ method, url, headers: user ? { cookie: user.cookie } : {}, payload });
const change = (id: string, payload: object, user: Account | null) =>
  call('PUT', `/v1/cockpit/ansichten/${id}`, payload, user);
const keep = async (user: Account, name = 'Montagsrunde') =>
  (
    await call('POST', '/v1/cockpit/ansichten', { name, pfad: '/laeufe', suche: 'status=fehler' }, user)
  ).json();
const rowOf = async (id: string) =>
  (await service.sql('SELECT name, pfad, suche FROM ansichten WHERE ansicht_id = $1', [id]))[0];
const entriesOf = (id: string) =>
  service.sql(
    `SELECT objekt_name, vorher, nachher FROM pruefprotokoll
     WHERE objekt_id = $1 AND aktion = 'ansicht.geaendert' ORDER BY eintrag_id`,
    [id],
  );

describe('PUT /v1/cockpit/ansichten/{ansicht_id}', () => {
  it('renames, and overwrites what is shown, and nothing that is not given', async () => {
    const user = await addUser(service, account, 'betrachter');
    service.clock.set('2026-05-01T10:00:00.000Z');
    const before = await keep(user);
    service.clock.set('2026-05-02T10:00:00.000Z');
    const renamed = await change(before.ansicht_id, { name: ' Dienstag ', pfad: null }, user);
    expect(renamed.statusCode).toBe(200);
    const after = { ...before, name: 'Dienstag', geaendert_am: '2026-05-02T10:00:00.000Z' };
    expect(renamed.json()).toEqual(after);
    const other = { pfad: '/', suche: '' };
    expect((await change(before.ansicht_id, other, user)).json()).toEqual({ ...after, ...other });
    expect(await entriesOf(before.ansicht_id)).toEqual(
      Array(2).fill({ objekt_name: null, vorher: null, nachher: null }),
    );
  });

  it('leaves no entry where nothing is another', async () => {
    const user = await addUser(service, account, 'betrachter');
    const view = await keep(user);
    service.clock.set('2026-05-02T11:00:00.000Z');
    for (const payload of [{}, { name: 'Montagsrunde' }, { suche: 'status=fehler' }])
      expect((await change(view.ansicht_id, payload, user)).json()).toEqual(view);
    expect(await entriesOf(view.ansicht_id)).toEqual([]);
  });

  it('does not take the name of another view', async () => {
    const user = await addUser(service, account, 'betrachter');
    const [first, second] = [await keep(user, 'eins'), await keep(user, 'zwei')];
    const answer = await change(second.ansicht_id, { name: 'eins ' }, user);
    expect([answer.statusCode, answer.json().code]).toEqual([409, 'ansicht_name_vergeben']);
    expect((await change(first.ansicht_id, { name: 'eins' }, user)).statusCode).toBe(200);
    const both = await Promise.all(
      [first, second].map(({ ansicht_id }) => change(ansicht_id, { name: 'drei' }, user)),
    );
    expect(both.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409]);
  });

  it('answers the view of a colleague like one that does not exist, and leaves it alone', async () => {
    const view = await keep(await addUser(service, account, 'betrachter'));
    const foreign = await change(view.ansicht_id, { name: 'gekapert' }, account);
    const unknown = await change(randomUUID(), { name: 'gekapert' }, account);
    expect(foreign.statusCode).toBe(404);
    expect(foreign.body).toBe(unknown.body);
    expect((await change(view.ansicht_id, {}, await registerAccount(service))).statusCode).toBe(404);
    expect((await rowOf(view.ansicht_id))?.name).toBe('Montagsrunde');
  });

  it.each([
    [{ name: ' ' }, 'name'],
    [{ pfad: '//evil.example' }, 'pfad'],
    [{ suche: 'a#b' }, 'suche'],
  ])('refuses %j', async (payload, field) => {
    const user = await addUser(service, account, 'betrachter');
    const answer = await change((await keep(user)).ansicht_id, payload, user);
    expect(answer.statusCode).toBe(422);
    expect(answer.json().detail[0]).toMatchObject({ type: 'value_error', loc: ['body', field] });
  });

  it('is for everybody who is signed in', async () => {
    const statuses = await statusByRole(service, account, async (user) =>
      change((await keep(user)).ansicht_id, { name: 'neu' }, user),
    );
    expect(statuses).toEqual(admitting(EVERYBODY));
    expect((await change(randomUUID(), {}, null)).statusCode).toBe(401);
    expect((await change('abc', {}, account)).statusCode).toBe(422);
  });
});
