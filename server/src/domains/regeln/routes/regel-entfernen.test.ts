import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Account, registerAccount } from '#test/account.ts';
import { admitting, EDITORS, statusByRole } from '#test/roles.ts';
import { startService, type TestService } from '#test/service.ts';

let service: TestService;
let ours: Account;
let foreign: Account;
let regelId: string;

beforeAll(async () => {
  service = await startService();
  ours = await registerAccount(service);
  foreign = await registerAccount(service);
});
afterAll(() => service.stop());

const create = async (): Promise<string> => {
  const answer = await service.app.inject({
    method: 'POST',
    url: '/v1/cockpit/regeln',
    headers: { cookie: ours.cookie },
    payload: { typ: 'lauf_deckel' },
  });
  return answer.json().regel_id;
};
beforeEach(async () => {
  regelId = await create();
});

const remove = (id: string, cookie: string | null = ours.cookie) =>
  service.app.inject({
    method: 'DELETE',
    url: `/v1/cockpit/regeln/${id}`,
    headers: cookie ? { cookie } : {},
  });
const exists = async () =>
  (await service.sql('SELECT FROM regeln WHERE regel_id = $1', [regelId])).length === 1;

test('is gone, and was what the answer says', async () => {
  const answer = await remove(regelId);
  expect(answer.statusCode, answer.body).toBe(200);
  expect(answer.json()).toMatchObject({ regel_id: regelId, typ: 'lauf_deckel', schwelle: '200' });
  expect(await exists()).toBe(false);
  expect((await remove(regelId)).statusCode).toBe(404);
  const entries = await service.sql(
    `SELECT objekt_name, vorher->>'schwelle' AS schwelle FROM pruefprotokoll
     WHERE objekt_id = $1 AND aktion = 'regel.entfernt'`,
    [regelId],
  );
  expect(entries).toEqual([{ objekt_name: 'Lauf zu groß', schwelle: '200' }]);
});

test('401, 403, and 404 for a foreign or unknown one', async () => {
  expect((await remove(regelId, null)).statusCode).toBe(401);
  expect((await remove(regelId, foreign.cookie)).statusCode).toBe(404);
  expect((await remove(randomUUID())).statusCode).toBe(404);
  expect((await remove('kein-uuid')).statusCode).toBe(422);
  expect(await exists()).toBe(true);
  const statuses = await statusByRole(service, ours, async ({ cookie }) => remove(await create(), cookie));
  expect(statuses).toEqual(admitting(EDITORS));
});
