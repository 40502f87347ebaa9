/**
 * Just after many values have come the planner knows nothing of them: it takes a thousand for one, and may read all of one side for each of
 * the other. Questions of requests do not leave it that choice.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Account, createKey, registerAccount } from '#test/account.ts';
import { withholdStatistics, workOf } from '#test/plans.ts';
import { startService, type TestService } from '#test/service.ts';
import { countAll } from '#test/tenants.ts';

const VALUES = 1_000;
/** A statement reads each value some times, not once for each of the others. */
const MOST = 100 * VALUES;

let service: TestService;
let account: Account;

beforeAll(async () => {
  service = await startService();
  await withholdStatistics(service);
  account = await registerAccount(service);
  const { secret } = await createKey(service, account);
  const ereignisse = Array.from({ length: VALUES }, (_, index) => ({
    agent: `agent-${index}`,
    anbieter: 'openai',
    modell: 'gpt-4o-mini',
    endkunde_ref: 'g',
    eingabe_token: 1_000 + index,
  }));
  const headers = { authorization: `Bearer ${secret}` };
  const answer = await service.app.inject({
    method: 'POST',
    url: '/v1/ereignisse',
    headers,
    payload: { ereignisse },
  });
  expect(answer.statusCode, answer.body).toBe(202);
  await countAll(service);
});
afterAll(() => service?.stop());

test.each([
  '/v1/cockpit/uebersicht?zeitraum=90tage',
  '/v1/cockpit/uebersicht?zeitraum=90tage&endkunde=g',
  '/v1/cockpit/verbrauch?gruppe=agent',
  '/v1/cockpit/verbrauch?gruppe=agent&limit=10',
  '/v1/cockpit/verbrauch?gruppe=agent&endkunde=g',
  '/v1/cockpit/verbrauch?gruppe=agent&teilung=tag&limit=10',
  '/v1/cockpit/verbrauch?gruppe=stunde&endkunde=g',
  '/v1/cockpit/auffaelliges?zeitraum=7tage&nach=agent',
  '/v1/cockpit/auffaelliges?zeitraum=7tage',
  '/v1/cockpit/agenten?zeitraum=7tage',
  '/v1/cockpit/endkunden/g/abrechnung',
  '/v1/cockpit/bericht/woche',
])('%s', async (url) => {
  service.statements.clear();
  const answer = await service.app.inject({ url, headers: { cookie: account.cookie } });
  expect(answer.statusCode, answer.body).toBe(200);
  const asked = [...service.statements.values()].filter(({ text }) => /merkmale|verbrauch_/.test(text));
  for (const { text, values } of asked) expect(await workOf(service, text, values), text).toBeLessThan(MOST);
});
