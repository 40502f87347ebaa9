import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Account, addUser, registerAccount } from '#test/account.ts';
import { startService, type TestService } from '#test/service.ts';

let service: TestService;
let ours: Account;
let foreign: Account;

beforeAll(async () => {
  service = await startService();
  ours = await registerAccount(service);
  foreign = await registerAccount(service);
});
afterAll(() => service.stop());

const URL = '/v1/cockpit/bericht/abo';
const headersOf = (account: { cookie: string } | null) => (account ? { cookie: account.cookie } : {});
const read = (account: { cookie: string } | null = ours) =>
  service.app.inject({ url: URL, headers: headersOf(account) });
const set = (payload: object, account: { cookie: string } | null = ours) =>
  service.app.inject({ method: 'PUT', url: URL, headers: headersOf(account), payload });
const entries = async () =>
  service.sql(
    `SELECT vorher, nachher, objekt_id, objekt_name FROM pruefprotokoll
     WHERE mandant_id = $1 AND aktion = 'bericht.abo_geaendert' ORDER BY eintrag_id`,
    [ours.mandantId],
  );

test('off unless switched on; everybody for themselves, and in the audit log', async () => {
  const viewer = await addUser(service, ours, 'betrachter');
  expect((await read()).json()).toEqual({ wochenbericht: false });
  for (let time = 0; time < 2; time += 1) {
    const answer = await set({ wochenbericht: true });
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toEqual({ wochenbericht: true });
  }
  expect((await read()).json()).toEqual({ wochenbericht: true });
  for (const other of [viewer, foreign]) expect((await read(other)).json()).toEqual({ wochenbericht: false });
  expect((await set({ wochenbericht: false })).json()).toEqual({ wochenbericht: false });
  expect((await read()).json()).toEqual({ wochenbericht: false });
  const user = { objekt_id: ours.benutzerId, objekt_name: ours.email };
  expect(await entries()).toEqual([
    { ...user, vorher: { wochenbericht: false }, nachher: { wochenbericht: true } },
    { ...user, vorher: { wochenbericht: true }, nachher: { wochenbericht: false } },
  ]);
});

test('it goes with its user', async () => {
  const viewer = await addUser(service, ours, 'betrachter');
  await set({ wochenbericht: true }, viewer);
  const removed = await service.app.inject({
    method: 'DELETE',
    url: `/v1/cockpit/benutzer/${viewer.benutzerId}`,
    headers: headersOf(ours),
  });
  expect(removed.statusCode, removed.body).toBe(200);
  expect(await service.sql('SELECT * FROM bericht_abos WHERE benutzer_id = $1', [viewer.benutzerId])).toEqual(
    [],
  );
});

test('401 without a session', async () => {
  expect((await read(null)).statusCode).toBe(401);
  expect((await set({ wochenbericht: true }, null)).statusCode).toBe(401);
});

test.each([{}, { wochenbericht: null }, { wochenbericht: 'vielleicht' }, { wochenbericht: [] }])(
  '422 for %j',
  async (body) => {
    const answer = await set(body);
    expect(answer.statusCode).toBe(422);
    expect(answer.json().detail[0].loc).toEqual(['body', 'wochenbericht']);
  },
);
