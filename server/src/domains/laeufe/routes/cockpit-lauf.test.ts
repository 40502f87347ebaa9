import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Account, addUser, createKey, registerAccount } from '#test/account.ts';
import { addRun } from '#test/rollups.ts';
import { startService, type TestService } from '#test/service.ts';

let service: TestService;
let ours: Account;
let foreign: Account;
let laufId: string;

beforeAll(async () => {
  service = await startService();
  ours = await registerAccount(service);
  foreign = await registerAccount(service);
  const span = { beginn: '2026-11-20T10:00:00Z', ende: '2026-11-20T10:00:01.5Z' };
  laufId = await addRun(service, ours.mandantId, { agent: 'a', ...span, kosten_eur: '0.10' });
});
afterAll(() => service.stop());

const get = (id: string, headers: Record<string, string>) =>
  service.app.inject({ method: 'GET', url: `/v1/cockpit/laeufe/${id}`, headers });

test('answers the run to every role', async () => {
  const viewer = await addUser(service, ours, 'betrachter');
  const answer = await get(laufId, { cookie: viewer.cookie });
  expect(answer.statusCode).toBe(200);
  expect(answer.json()).toMatchObject({
    lauf: { lauf_id: laufId, dauer_ms: 1_500, kosten_eur: '0.1' },
    ereignisse: [],
    gekuerzt: false,
  });
});

test('says what the run was begun from, and what it and all that was begun from it cost', async () => {
  const own = await registerAccount(service);
  const add = async (minute: number, from: string | null, kosten_eur: string) => {
    const at = (second: number) => `2026-11-20T10:${minute}:0${second}Z`;
    const id = await addRun(service, own.mandantId, {
      agent: `a${minute}`,
      beginn: at(0),
      ende: at(1),
      kosten_eur,
    });
    await service.sql('UPDATE laeufe SET eltern_lauf = $2 WHERE lauf_id = $1', [id, from]);
    return id;
  };
  const root = await add(10, null, '0.1');
  const [first, second] = [await add(11, root, '0.02'), await add(12, root, '0.003')];
  const leaf = await add(13, first, '0.0004');
  const alone = await add(14, null, '5');
  const foreignRun = await addRun(service, foreign.mandantId, {
    agent: 'fremd',
    beginn: '2026-11-20T10:00:00Z',
    ende: '2026-11-20T10:00:01Z',
    kosten_eur: '9',
  });
  await service.sql('UPDATE laeufe SET eltern_lauf = $2 WHERE lauf_id = $1', [foreignRun, root]);
  const treeOf = async (id: string) => (await get(id, { cookie: own.cookie })).json().baum;
  const tree = await treeOf(root);
  expect(tree).toEqual({
    eltern_lauf: null,
    begonnen: [
      {
        lauf_id: first,
        agent: 'a11',
        status: 'erfolgreich',
        beginn: '2026-11-20T10:11:00Z',
        aufrufe: 2,
        kosten_eur: '0.02',
      },
      {
        lauf_id: second,
        agent: 'a12',
        status: 'erfolgreich',
        beginn: '2026-11-20T10:12:00Z',
        aufrufe: 2,
        kosten_eur: '0.003',
      },
    ],
    laeufe: 3,
    aufrufe: 8,
    unbepreist: 0,
    kosten_eur: '0.1234',
  });
  expect(await treeOf(leaf)).toMatchObject({
    eltern_lauf: first,
    begonnen: [],
    laeufe: 0,
    kosten_eur: '0.0004',
  });
  expect(await treeOf(alone)).toBeNull();
});

test('401 without a session, also with a key', async () => {
  expect((await get(laufId, {})).statusCode).toBe(401);
  const { secret } = await createKey(service, ours);
  expect((await get(laufId, { authorization: `Bearer ${secret}` })).statusCode).toBe(401);
});

test('404 alike for a foreign and for an unknown run', async () => {
  const answers = [
    await get(laufId, { cookie: foreign.cookie }),
    await get(randomUUID(), { cookie: foreign.cookie }),
  ];
  expect(answers.map((answer) => answer.statusCode)).toEqual([404, 404]);
  expect(answers[0]?.json()).toEqual(answers[1]?.json());
});

test('422 for an id that is no UUID', async () => {
  const answer = await get('1', { cookie: ours.cookie });
  expect(answer.statusCode).toBe(422);
  expect(answer.json().detail[0]).toMatchObject({ loc: ['path', 'lauf_id'], type: 'uuid_parsing' });
});
