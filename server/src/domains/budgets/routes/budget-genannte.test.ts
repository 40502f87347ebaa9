/** The budgets of end customers, functions and users: set, listed, kept apart. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Account, registerAccount } from '#test/account.ts';
import { admitting, EDITORS, statusByRole } from '#test/roles.ts';
import { addConsumption } from '#test/rollups.ts';
import { startService, type TestService } from '#test/service.ts';

let service: TestService;
let ours: Account;
let foreign: Account;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());
beforeEach(async () => {
  ours = await registerAccount(service);
  foreign = await registerAccount(service);
  await service.sql(`INSERT INTO endkunden (mandant_id, referenz, name) VALUES ($1, 'k/1', 'Kunde Eins')`, [
    ours.mandantId,
  ]);
});

const put = (payload: object, cookie: string | null = ours.cookie) =>
  service.app.inject({
    method: 'PUT',
    url: '/v1/cockpit/budgets',
    headers: cookie ? { cookie } : {},
    payload,
  });
const list = async (cookie = ours.cookie) =>
  (await service.app.inject({ url: '/v1/cockpit/budgets', headers: { cookie } })).json().budgets;

test('each kind is set exactly, listed by kind and key, and removed', async () => {
  for (const [objekt_art, objekt] of [
    ['funktion', 'angebot/neu ?%'],
    ['benutzer', 'u-17'],
    ['endkunde', 'k/1'],
  ]) {
    const answer = await put({ objekt_art, objekt, betrag_eur: '10.50', bei_erreichen: 'sperren' });
    expect(answer.statusCode, answer.body).toBe(200);
    expect(answer.json()).toEqual({
      objekt_art,
      objekt_id: objekt,
      schluessel: objekt,
      name: objekt_art === 'endkunde' ? 'Kunde Eins' : objekt,
      budget_eur: '10.5',
      bei_erreichen: 'sperren',
    });
  }
  expect(
    (await list()).map((each: { objekt_art: string; name: string }) => [each.objekt_art, each.name]),
  ).toEqual([
    ['benutzer', 'u-17'],
    ['endkunde', 'Kunde Eins'],
    ['funktion', 'angebot/neu ?%'],
  ]);
  expect(await list(foreign.cookie)).toEqual([]);
  const gone = await put({ objekt_art: 'benutzer', objekt: 'u-17', betrag_eur: null });
  expect(gone.json()).toMatchObject({ budget_eur: null, bei_erreichen: null });
  expect(await list()).toHaveLength(2);
});

test('what is not said of the level stays; a new budget only warns', async () => {
  const of = { objekt_art: 'funktion', objekt: 'f' };
  expect((await put({ ...of, betrag_eur: 1 })).json().bei_erreichen).toBe('warnen');
  expect((await put({ ...of, betrag_eur: 1, bei_erreichen: 'drosseln' })).json().bei_erreichen).toBe(
    'drosseln',
  );
  expect((await put({ ...of, betrag_eur: 2 })).json()).toMatchObject({
    budget_eur: '2',
    bei_erreichen: 'drosseln',
  });
  expect((await put({ ...of, betrag_eur: 2, bei_erreichen: null })).json().bei_erreichen).toBe('drosseln');
  const entries = await service.sql(
    `SELECT vorher, nachher FROM pruefprotokoll WHERE mandant_id = $1 AND aktion = 'budget.funktion_gesetzt' ORDER BY eintrag_id`,
    [ours.mandantId],
  );
  expect(entries).toEqual([
    { vorher: { budget_eur: null }, nachher: { budget_eur: '1' } },
    { vorher: { bei_erreichen: 'warnen' }, nachher: { bei_erreichen: 'drosseln' } },
    { vorher: { budget_eur: '1' }, nachher: { budget_eur: '2' } },
  ]);
});

test('an end customer is named by id or reference; its budget can be removed when it is gone', async () => {
  const [row] = await service.sql<{ endkunde_id: string }>(
    'SELECT endkunde_id FROM endkunden WHERE mandant_id = $1',
    [ours.mandantId],
  );
  const id = row?.endkunde_id as string;
  const answer = await put({ objekt_art: 'endkunde', objekt: id, betrag_eur: 5 });
  expect(answer.json()).toMatchObject({ objekt_id: 'k/1', name: 'Kunde Eins' });
  await service.sql('DELETE FROM endkunden WHERE mandant_id = $1', [ours.mandantId]);
  expect(await list()).toMatchObject([{ schluessel: 'k/1', name: 'k/1' }]);
  expect((await put({ objekt_art: 'endkunde', objekt: 'k/1', betrag_eur: null })).statusCode).toBe(200);
  expect((await put({ objekt_art: 'endkunde', objekt: 'k/1', betrag_eur: 1 })).statusCode).toBe(404);
});

test('how they stand: what was spent, of users the last three days alone', async () => {
  const now = new Date().toISOString();
  await addConsumption(service, ours.mandantId, [
    {
      agent: 'a',
      funktion: 'f',
      benutzer: 'u',
      endkunde: 'k/1',
      kosten_eur: '7',
      kosten_usd: '7',
      stunde: `${now.slice(0, 13)}:00:00Z`,
      tag: now.slice(0, 10),
    },
  ]);
  for (const [objekt_art, objekt] of [
    ['funktion', 'f'],
    ['benutzer', 'u'],
    ['endkunde', 'k/1'],
  ])
    await put({ objekt_art, objekt, betrag_eur: 10 });
  const told = await list();
  expect(
    told.map((each: Record<string, unknown>) => [each.objekt_art, each.verbraucht_eur, each.anteil_prozent]),
  ).toEqual([
    ['benutzer', '7', '70'],
    ['endkunde', '7', '70'],
    ['funktion', '7', '70'],
  ]);
  expect(told.map((each: { tempo: object[] }) => each.tempo.length)).toEqual([1, 5, 5]);
});

test('401 without a session, 403 for those who do not edit', async () => {
  const of = { objekt_art: 'funktion', objekt: 'f', betrag_eur: 1 };
  expect((await put(of, null)).statusCode).toBe(401);
  const statuses = await statusByRole(service, ours, ({ cookie }) => put(of, cookie));
  expect(statuses).toEqual(admitting(EDITORS));
});

test('404 alike for an end customer of another Mandant and one that is unknown', async () => {
  const answers = [
    await put({ objekt_art: 'endkunde', objekt: 'k/1', betrag_eur: 1 }, foreign.cookie),
    await put({ objekt_art: 'endkunde', objekt: randomUUID(), betrag_eur: 1 }, foreign.cookie),
  ];
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([404, 404]);
  expect(answers[0]?.json()).toEqual(answers[1]?.json());
});

test.each([
  [{ objekt_art: 'modell', objekt: 'x', betrag_eur: 1 }, 'objekt_art'],
  [{ objekt_art: 'funktion', objekt: '', betrag_eur: 1 }, 'objekt'],
  [{ objekt_art: 'funktion', objekt: 'x', betrag_eur: -1 }, 'betrag_eur'],
  [{ objekt_art: 'funktion', objekt: 'x', betrag_eur: `1.${'1'.repeat(35)}` }, 'betrag_eur'],
  [{ objekt_art: 'funktion', objekt: 'x', betrag_eur: 1, bei_erreichen: 'anhalten' }, 'bei_erreichen'],
])('422 for %j', async (payload, place) => {
  const answer = await put(payload);
  expect(answer.statusCode).toBe(422);
  expect(answer.json().detail).toEqual([expect.objectContaining({ loc: ['body', place] })]);
});

test('409 for one more than there may be, projects among them; each that is there can be changed and removed', async () => {
  await service.sql(
    `INSERT INTO budgets (mandant_id, objekt_art, objekt, budget_eur, bei_erreichen)
     SELECT $1, 'benutzer', 'u' || n, 1, 'warnen' FROM generate_series(1, 3998) AS n`,
    [ours.mandantId],
  );
  await service.sql(
    `INSERT INTO projekte (mandant_id, schluessel, name, budget_eur, budget_bei_erreichen) VALUES ($1, 'p', 'P', 1, 'warnen')`,
    [ours.mandantId],
  );
  const set = async (objekt: string, betrag_eur: string | null = '5') => {
    const answer = await put({ objekt_art: 'funktion', objekt, betrag_eur });
    return [answer.statusCode, answer.json().code];
  };
  expect(await set('erste')).toEqual([200, undefined]);
  expect(await set('zweite')).toEqual([409, 'hoechstzahl_erreicht']);
  expect(await set('erste', '7')).toEqual([200, undefined]);
  expect(await set('zweite', null)).toEqual([200, undefined]);
  expect(await set('erste', null)).toEqual([200, undefined]);
  expect(await set('zweite')).toEqual([200, undefined]);
});
