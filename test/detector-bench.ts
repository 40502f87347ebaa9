/** A service with counting, to which events are sent and at whose calls detectors look. */
import { expect } from 'vitest';
import type { Ereignis } from '#client/index.ts';
import { createPriceList } from '#domains/preise/index.ts';
import { createCountingWorker } from '#domains/zaehlung/index.ts';
import { createPool } from '#platform/database/index.ts';
import { createOwnerDatabase, type OwnerDatabase } from '#platform/database/owner-database.ts';
import { type Account, createKey, registerAccount } from './account.ts';
import { RATE } from './detectors/calls.ts';
import { startService, type TestService } from './service.ts';

export interface DetectorBench {
  service: TestService;
  owner: OwnerDatabase;
  /** The next noon (UTC): sums by the minute reach back from now, and events may lie a day ahead. */
  end: Temporal.Instant;
  /** A new Mandant; `send` has its batches counted one after the other. */
  newSender(): Promise<Account & { send(...batches: Ereignis[][]): Promise<void> }>;
  stop(): Promise<void>;
}

function nextNoon(): Temporal.Instant {
  const noon = Temporal.Now.zonedDateTimeISO('UTC')
    .round({ smallestUnit: 'day', roundingMode: 'floor' })
    .add({ hours: 12 });
  return (
    Temporal.Instant.compare(noon.toInstant(), Temporal.Now.instant()) > 0 ? noon : noon.add({ days: 1 })
  ).toInstant();
}

export async function createDetectorBench(): Promise<DetectorBench> {
  const service = await startService({ USD_EUR_RATE: RATE });
  const { log } = service.context;
  const options = { connection: service.connection, max: 4, statementTimeout: 60_000, name: 'test' };
  const owner = createOwnerDatabase(createPool(options, log));
  const worker = createCountingWorker({ db: owner, log, prices: createPriceList(), substituteRate: RATE });
  return {
    service,
    owner,
    end: nextNoon(),
    async newSender() {
      const account = await registerAccount(service);
      const { secret } = await createKey(service, account);
      return {
        ...account,
        async send(...batches) {
          for (const ereignisse of batches) {
            const answer = await service.app.inject({
              method: 'POST',
              url: '/v1/ereignisse',
              headers: { authorization: `Bearer ${secret}` },
              payload: { ereignisse },
            });
            expect(answer.statusCode, answer.body).toBe(202);
            await worker.drain();
          }
        },
      };
    },
    async stop() {
      await owner.close();
      await service.stop();
    },
  };
}
