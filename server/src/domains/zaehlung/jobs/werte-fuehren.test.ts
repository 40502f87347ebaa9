/** What is asked for in a transaction of others has its sums as soon as the job has run, and a reader that skipped it looks again. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createPriceList } from '#domains/preise/index.ts';
import { createRunner } from '#jobs/runner.ts';
import { mandantId } from '#kernel/mandant-id.ts';
import { createKey, registerAccount } from '#test/account.ts';
import { expectSumsOfEvents } from '#test/counted-anew.ts';
import { ownerOf } from '#test/jobs.ts';
import { startService, type TestService } from '#test/service.ts';
import { askForValues } from '../ask-for-values.ts';
import { createMarkConsumer, type Mark } from '../marks.ts';
import { createCountingWorker } from '../worker.ts';
import { werteFuehrenJob } from './werte-fuehren.ts';

let service: TestService;
let owner: ReturnType<typeof ownerOf>;

beforeAll(async () => {
  service = await startService();
  owner = ownerOf(service);
});
afterAll(async () => {
  await owner.close();
  await service.stop();
});

test('the job makes the sums of what was asked for, once, and leaves a mark of it', async () => {
  const { log } = service.context;
  const account = await registerAccount(service);
  const { secret } = await createKey(service, account);
  await service.app.inject({
    method: 'POST',
    url: '/v1/ereignisse',
    headers: { authorization: `Bearer ${secret}` },
    payload: {
      ereignisse: [
        { zeitpunkt: new Date().toISOString(), agent: 'a', zusatz: { projekt: 'p' }, eingabe_token: 5 },
      ],
    },
  });
  await createCountingWorker({ db: owner, log, prices: createPriceList(), substituteRate: '0.86' }).drain();
  const seen: Mark[] = [];
  const handler = async (_: unknown, marks: Mark[]) => void seen.push(...marks);
  const marks = createMarkConsumer({ db: owner, log, handlers: [handler] });
  await marks.drain();
  seen.length = 0;
  const mandant = mandantId(account.mandantId);
  for (let time = 0; time < 2; time += 1)
    await owner.transaction((client) => askForValues(client, mandant, [{ dimension: 'projekt', text: 'p' }]));
  const waiting = await service.sql(
    `SELECT FROM auftraege WHERE mandant_id = $1 AND job = 'zaehlung.werte_fuehren'`,
    [mandant],
  );
  expect(waiting).toHaveLength(1);
  const runner = createRunner({
    jobs: [werteFuehrenJob({ owner })],
    db: owner,
    log,
    observe: () => undefined,
  });
  await runner.runDue();
  await runner.stop();
  await expectSumsOfEvents(service);
  const [kept] = await service.sql<{ merkmal_id: number }>(
    `SELECT m.merkmal_id FROM verbrauch_gefuehrt g JOIN merkmale m USING (mandant_id, dimension, text)
     WHERE mandant_id = $1 AND seit IS NOT NULL`,
    [mandant],
  );
  await marks.drain();
  expect(seen).toMatchObject([{ merkmale: [kept?.merkmal_id], agenten: [], laeufe: [] }]);
});
