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
let schluessel: string;

beforeAll(async () => {
  service = await startService();
  ours = await registerAccount(service);
  foreign = await registerAccount(service);
});
afterAll(() => service.stop());
beforeEach(async () => {
  schluessel = randomUUID();
  agentId = await addAgent(service, ours.mandantId, schluessel);
});

const put = (id: string, payload: unknown, cookie?: string) =>
  service.app.inject({
    method: 'PUT',
    url: `/v1/cockpit/agenten/${id}`,
    headers: { 'content-type': 'application/json', ...(cookie ? { cookie } : {}) },
    payload: JSON.stringify(payload),
  });

const stored = async () =>
  (await service.sql('SELECT name, projekt, projekt_fest FROM agenten WHERE agent_id = $1', [agentId]))[0];
const projects = (mandantId: string, projekt: string) =>
  service.sql('SELECT name FROM projekte WHERE mandant_id = $1 AND schluessel = $2', [mandantId, projekt]);

describe('changes', () => {
  test('name and project; the project is made and holds from now on', async () => {
    const projekt = `Büro ${schluessel}`;
    const answer = await put(agentId, { name: 'Postbote', projekt }, ours.cookie);
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toMatchObject({ agent_id: agentId, schluessel, name: 'Postbote', projekt });
    expect(await stored()).toEqual({ name: 'Postbote', projekt, projekt_fest: true });
    expect(await projects(ours.mandantId, projekt)).toEqual([{ name: projekt }]);
    expect(await projects(foreign.mandantId, projekt)).toEqual([]);
  });

  test('the name alone leaves the project open', async () => {
    expect((await put(agentId, { name: 'Neu', projekt: null }, ours.cookie)).statusCode).toBe(200);
    expect(await stored()).toEqual({ name: 'Neu', projekt: 'standard', projekt_fest: false });
  });

  test('an existing project is used as it is, and stays chosen when only the name changes', async () => {
    const projekt = `p-${schluessel}`;
    await service.sql('INSERT INTO projekte (mandant_id, schluessel, name) VALUES ($1, $2, $3)', [
      ours.mandantId,
      projekt,
      'Schon da',
    ]);
    await put(agentId, { projekt }, ours.cookie);
    await put(agentId, { name: 'Später' }, ours.cookie);
    expect(await stored()).toEqual({ name: 'Später', projekt, projekt_fest: true });
    expect(await projects(ours.mandantId, projekt)).toEqual([{ name: 'Schon da' }]);
  });

  test('an empty change answers the agent', async () => {
    const answer = await put(agentId, {}, ours.cookie);
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toMatchObject({ agent_id: agentId, name: schluessel, projekt: 'standard' });
    expect(await stored()).toEqual({ name: schluessel, projekt: 'standard', projekt_fest: false });
  });
});

describe('refuses', () => {
  test('401 without a session', async () => {
    expect((await put(agentId, { name: 'x' })).statusCode).toBe(401);
  });

  test('403 for those who do not edit', async () => {
    const names = [schluessel];
    const statuses = await statusByRole(service, ours, async ({ cookie }, rolle) => {
      const answer = await put(agentId, { name: rolle }, cookie);
      if (answer.statusCode === 200) names.push(rolle);
      expect((await stored())?.name).toBe(names.at(-1));
      return answer;
    });
    expect(statuses).toEqual(admitting(EDITORS));
  });

  test('404 alike for a foreign and for an unknown agent, and makes no project', async () => {
    const projekt = `q-${schluessel}`;
    const answers = [
      await put(agentId, { projekt }, foreign.cookie),
      await put(randomUUID(), { projekt }, foreign.cookie),
    ];
    expect(answers.map((answer) => answer.statusCode)).toEqual([404, 404]);
    expect(answers[0]?.json()).toEqual(answers[1]?.json());
    expect((await stored())?.projekt).toBe('standard');
    expect(await projects(foreign.mandantId, projekt)).toEqual([]);
  });

  test.each([
    [{ name: '' }, ['body', 'name'], 'string_too_short'],
    [{ name: 'x'.repeat(121) }, ['body', 'name'], 'string_too_long'],
    [{ projekt: 7 }, ['body', 'projekt'], 'string_type'],
  ])('422 for %j', async (payload, loc, type) => {
    const answer = await put(agentId, payload, ours.cookie);
    expect(answer.statusCode).toBe(422);
    expect(answer.json().detail).toEqual([expect.objectContaining({ loc, type })]);
  });

  test('422 for an id that is no UUID', async () => {
    const answer = await put('kein-uuid', {}, ours.cookie);
    expect(answer.statusCode).toBe(422);
    expect(answer.json().detail[0]).toMatchObject({ loc: ['path', 'agent_id'], type: 'uuid_parsing' });
  });
});
