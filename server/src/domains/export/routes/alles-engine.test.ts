/** An export whose sums the engine refuses for a while: its status has left already, so that a refusal would break the file off. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Engine } from '#domains/verbrauch/engine/engine.ts';
import { giveEngine } from '#domains/verbrauch/engine/engine-of.ts';
import { registerAccount } from '#test/account.ts';
import { sendPlainCalls } from '#test/plain-calls.ts';
import { startService, type TestService } from '#test/service.ts';
import { countAll } from '#test/tenants.ts';
import { unzip } from '#test/unzip.ts';

/** Its process is killed with each question behind the first, until one was refused. */
class EndingEngine extends Engine {
  asked = 0;
  refused = 0;

  override async ask(...asked: Parameters<Engine['ask']>): ReturnType<Engine['ask']> {
    this.asked += 1;
    const killing =
      this.asked > 1 && this.refused === 0
        ? setInterval(() => this.pid !== undefined && process.kill(this.pid, 'SIGKILL'), 1)
        : undefined;
    try {
      return await super.ask(...asked);
    } catch (error) {
      this.refused += 1;
      throw error;
    } finally {
      clearInterval(killing);
    }
  }
}

let service: TestService;
let engine: EndingEngine;

beforeAll(async () => {
  service = await startService();
  const { config, log } = service.context;
  engine = new EndingEngine({ dataDir: config.dataDir, bytes: config.sumsBytes, log });
  giveEngine(config, engine);
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
