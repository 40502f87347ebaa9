import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Account, registerAccount } from '#test/account.ts';
import { admitting, EDITORS, statusByRole } from '#test/roles.ts';
import { startService, type TestService } from '#test/service.ts';

let service: TestService;
let ours: Account;
let foreign: Account;
let rule: Record<string, unknown> & { regel_id: string };

beforeAll(async () => {
  service = await startService();
  ours = await registerAccount(service);
  foreign = await registerAccount(service);
});
afterAll(() => service.stop());
beforeEach(async () => {
  const answer = await service.app.inject({
    method: 'POST',
    url: '/v1/cockpit/regeln',
    headers: { cookie: ours.cookie },
    payload: { typ: 'kosten_grenze', schwelle: '5', geltungsbereich: 'modell', bezug_id: 'gpt-5' },
  });
  rule = answer.json();
});

const put = (payload: object, cookie: string | null = ours.cookie, id = rule.regel_id) =>
  service.app.inject({
    method: 'PUT',
    url: `/v1/cockpit/regeln/${id}`,
    headers: cookie ? { cookie } : {},
    payload,
  });
const entries = () =>
  service.sql<{ vorher: object; nachher: object }>(
    `SELECT vorher, nachher FROM pruefprotokoll WHERE mandant_id = $1 AND objekt_id = $2 AND aktion = 'regel.geaendert'`,
    [ours.mandantId, rule.regel_id],
  );

describe('changes', () => {
  test('what is given; a field left out or null stays', async () => {
    const answer = await put({
      stufe: 'sperren',
      schattenbetrieb: false,
      name: null,
      schwelle: null,
      bezug_id: null,
    });
    expect(answer.statusCode, answer.body).toBe(200);
    expect(answer.json()).toEqual({
      ...rule,
      stufe: 'sperren',
      schattenbetrieb: false,
      geaendert_am: expect.any(String),
    });
    expect(await entries()).toEqual([
      {
        vorher: { stufe: 'warnen', schattenbetrieb: true },
        nachher: { stufe: 'sperren', schattenbetrieb: false },
      },
    ]);
  });

  test('the same again changes nothing and writes no entry', async () => {
    expect((await put({ schwelle: '5.00', aktiv: true })).json()).toEqual(rule);
    expect(await entries()).toEqual([]);
  });

  test('type and scope, with what belongs to them', async () => {
    const answer = await put({ typ: 'lauf_deckel', geltungsbereich: 'mandant' });
    expect(answer.json()).toMatchObject({
      typ: 'lauf_deckel',
      bezug_id: null,
      bezug: null,
      schwelle: '200',
      einheit: 'aufrufe',
      zeitfenster: null,
    });
  });

  test('a rule stays as it is where what it holds for is gone, and can be switched off', async () => {
    await service.sql(
      `UPDATE regeln SET geltungsbereich = 'endkunde', bezug_id = 'weg', bezug = 'weg' WHERE regel_id = $1`,
      [rule.regel_id],
    );
    expect((await put({ aktiv: false })).json()).toMatchObject({ aktiv: false, bezug: 'weg' });
  });
});

describe('refuses', () => {
  test('401 without a session', async () => {
    expect((await put({}, null)).statusCode).toBe(401);
  });

  test('403 for those who do not edit', async () => {
    const statuses = await statusByRole(service, ours, ({ cookie }, name) => put({ name }, cookie));
    expect(statuses).toEqual(admitting(EDITORS));
  });

  test('404 alike for a foreign and for an unknown rule', async () => {
    const answers = [
      await put({ aktiv: false }, foreign.cookie),
      await put({}, foreign.cookie, randomUUID()),
    ];
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([404, 404]);
    expect(answers[0]?.json()).toEqual(answers[1]?.json());
    expect((await put({})).json()).toEqual(rule);
  });

  test.each([
    [{ typ: 'latenz' }, [['stufe']]],
    [{ geltungsbereich: 'agent' }, [['bezug_id']]],
    [{ geltungsbereich: 'mandant', bezug_id: 'x' }, [['bezug_id']]],
    [{ schwelle: -1, zeitfenster: 'x' }, [['schwelle'], ['zeitfenster']]],
    [{ parameter: { x: 1 } }, [['parameter', 'x']]],
    [{ typ: 'stille', parameter: { tage: 99 }, stufe: 'warnen' }, [['parameter', 'tage']]],
  ])('422 for %j', async (payload, places) => {
    await put({ stufe: 'sperren' });
    const answer = await put(payload);
    expect(answer.statusCode).toBe(422);
    expect(answer.json().detail.map(({ loc }: { loc: string[] }) => loc)).toEqual(
      places.map((place) => ['body', ...place]),
    );
  });
});
