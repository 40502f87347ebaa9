import { afterAll, beforeAll, expect, test } from 'vitest';
import { createPriceList } from '#domains/preise/index.ts';
import { createKey, registerAccount } from '#test/account.ts';
import { expectSumsOfEvents } from '#test/counted-anew.ts';
import { ownerOf } from '#test/jobs.ts';
import { startService, type TestService } from '#test/service.ts';
import type { AskedValue } from '../asked-values.ts';
import { keepValues } from '../keep-values.ts';
import { createCountingWorker } from '../worker.ts';
import { werteVergessenJob } from './werte-vergessen.ts';

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

test('what nobody has asked for in 40 days goes, with its sums, and is counted no more', async () => {
  const { mandantId, ...account } = await registerAccount(service);
  const { secret } = await createKey(service, { mandantId, ...account });
  const { log } = service.context;
  const worker = createCountingWorker({ db: owner, log, prices: createPriceList(), substituteRate: '0.86' });
  const count = async () => {
    await service.app.inject({
      method: 'POST',
      url: '/v1/ereignisse',
      headers: { authorization: `Bearer ${secret}` },
      payload: {
        ereignisse: ['p', 'q'].map((projekt) => ({
          zeitpunkt: new Date().toISOString(),
          agent: 'a',
          zusatz: { projekt },
          eingabe_token: 5,
        })),
      },
    });
    await worker.drain();
  };
  await count();
  const asked = ['p', 'q'].map((text): AskedValue => ({ dimension: 'projekt', text }));
  await keepValues(owner, mandantId, asked);
  await count();
  await service.sql('UPDATE verbrauch_gefuehrt SET gebraucht_am = current_date - 41');
  // Asking for it again is what keeps it.
  await keepValues(owner, mandantId, asked.slice(1));
  expect(await werteVergessenJob({ owner, log }).run()).toEqual({ vergessen: 1 });
  expect(await service.sql('SELECT text FROM verbrauch_gefuehrt')).toEqual([{ text: 'q' }]);
  await expectSumsOfEvents(service);
  await count();
  await expectSumsOfEvents(service);
  expect(await werteVergessenJob({ owner, log }).run()).toEqual({ vergessen: 0 });
});
