/** An export whose sums the engine refuses for a while: its status has left already, so that a refusal would break the file off. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { registerAccount } from '#test/account.ts';
import { type EndingEngine, giveEndingEngine } from '#test/ending-engine.ts';
import { sendPlainCalls } from '#test/plain-calls.ts';
import { startService, type TestService } from '#test/service.ts';
import { countAll } from '#test/tenants.ts';
import { unzip } from '#test/unzip.ts';

let service: TestService;
let engine: EndingEngine;

beforeAll(async () => {
  service = await startService();
  engine = giveEndingEngine(service.context);
});
afterAll(async () => {
  await engine?.stop();
  await service?.stop();
});

test('what the engine refuses midway is asked again, and the archive is whole', async () => {
  const account = await registerAccount(service);
  await sendPlainCalls(service, account, [{}]);
  await countAll(service);
  const answer = await service.app.inject({
    method: 'GET',
    url: '/v1/cockpit/export.zip',
    headers: { cookie: account.cookie },
  });
  expect(answer.statusCode).toBe(200);
  expect(engine.refused).toBe(1);
  const files = await unzip(answer.rawPayload);
  const days = JSON.parse(files.get('json/verbrauch_tag.json') as string) as {
    dimension: string;
    aufrufe: string;
  }[];
  expect(days.filter(({ dimension }) => dimension === 'gesamt')).toMatchObject([
    { aufrufe: expect.anything() },
  ]);
});
