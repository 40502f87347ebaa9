import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Account, registerAccount } from '#test/account.ts';
import { admitting, EDITORS, statusByRole } from '#test/roles.ts';
import { addAgent } from '#test/rollups.ts';
import { startService, type TestService } from '#test/service.ts';

let service: TestService;
let ours: Account;
let foreign: Account;
let agentId: string;

beforeAll(async () => {
  service = await startService();
  ours = await registerAccount(service);
  foreign = await registerAccount(service);
});
afterAll(() => service.stop());
beforeEach(async () => {
  agentId = await addAgent(service, ours.mandantId, randomUUID());
});

const put = (payload: object, cookie: string | null = ours.cookie, id = agentId) =>
  service.app.inject({
    method: 'PUT',
    url: `/v1/cockpit/agenten/${id}/schutz`,
    headers: cookie ? { cookie } : {},
    payload,
  });
const stored = async () =>
  (await service.sql('SELECT eingriffsstufe, ruhezeit FROM agenten WHERE agent_id = $1', [agentId]))[0];

describe('the protection of an agent', () => {
  test('is set field by field: left out stays, null clears', async () => {
    const answer = await put({ standard_eingriffsstufe: 'anhalten', ruhezeit: '30m' });
    expect(answer.statusCode, answer.body).toBe(200);
    expect(answer.json()).toMatchObject({ agent_id: agentId, eingriffsstufe: 'anhalten', ruhezeit: '30m' });
    expect((await put({ ruhezeit: '2h' })).json()).toMatchObject({
      eingriffsstufe: 'anhalten',
      ruhezeit: '2h',
    });
    expect((await put({ standard_eingriffsstufe: null })).json()).toMatchObject({
      eingriffsstufe: null,
      ruhezeit: '2h',
    });
    expect(await stored()).toEqual({ eingriffsstufe: null, ruhezeit: '2h' });
    expect((await put({})).statusCode).toBe(200);
    const entries = await service.sql(
      `SELECT nachher FROM pruefprotokoll WHERE objekt_id = $1 AND aktion = 'agent.schutz_gesetzt' ORDER BY eintrag_id`,
      [agentId],
    );
    expect(entries).toEqual([
      { nachher: { eingriffsstufe: 'anhalten', ruhezeit: '30m' } },
      { nachher: { ruhezeit: '2h' } },
      { nachher: { eingriffsstufe: null } },
    ]);
  });
});

describe('refuses', () => {
  test('401 without a session, 403 for those who do not edit', async () => {
    expect((await put({}, null)).statusCode).toBe(401);
    const statuses = await statusByRole(service, ours, ({ cookie }) => put({ ruhezeit: '5m' }, cookie));
    expect(statuses).toEqual(admitting(EDITORS));
  });

  test('404 alike for a foreign and for an unknown agent', async () => {
    const answers = [
      await put({ ruhezeit: '5m' }, foreign.cookie),
      await put({ ruhezeit: '5m' }, ours.cookie, randomUUID()),
    ];
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([404, 404]);
    expect(answers[0]?.json()).toEqual(answers[1]?.json());
    expect(await stored()).toEqual({ eingriffsstufe: null, ruhezeit: null });
  });

  test.each([
    [{ standard_eingriffsstufe: 'x' }, 'standard_eingriffsstufe', 'literal_error'],
    [{ ruhezeit: 'lange' }, 'ruhezeit', 'value_error'],
    [{ ruhezeit: '' }, 'ruhezeit', 'value_error'],
    [{ ruhezeit: 'tag' }, 'ruhezeit', 'value_error'],
    [{ ruhezeit: 15 }, 'ruhezeit', 'string_type'],
  ])('422 for %j', async (payload, field, type) => {
    const answer = await put(payload);
    expect(answer.statusCode).toBe(422);
    expect(answer.json().detail).toEqual([expect.objectContaining({ loc: ['body', field], type })]);
  });
});
