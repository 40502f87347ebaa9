/** Calls of known cost, by chance, for months that are billed. */
import { randomUUID } from 'node:crypto';
import { Decimal } from 'decimal.js';
import fc from 'fast-check';
import { expect } from 'vitest';
import { createPriceList } from '#domains/preise/index.ts';
import { createCountingWorker } from '#domains/zaehlung/index.ts';
import type { OwnerDatabase } from '#platform/database/owner-database.ts';
import type { TestService } from './service.ts';

/** EUR for one USD, of every call. */
export const BILLED_RATE = '0.9';

export interface BilledCall {
  month: string;
  /** '' for none. */
  endkunde: string;
  agent: string;
  day: number;
  usd: string;
  failed: boolean;
  /** Whether a subscription pays for it. */
  abo: boolean;
}

export const billedCall = (
  months: readonly string[],
  customers: readonly string[],
): fc.Arbitrary<BilledCall> =>
  fc.record({
    month: fc.constantFrom(...months),
    endkunde: fc.constantFrom(...customers),
    agent: fc.constantFrom('x', 'y'),
    day: fc.integer({ min: 1, max: 28 }),
    usd: fc.integer({ min: 0, max: 10 ** 7 }).map((micro) => new Decimal(micro).div(10 ** 6).toFixed()),
    failed: fc.boolean(),
    abo: fc.boolean(),
  });

/** In percent, from -100 to 300 with two decimals. */
export const billedMarkup = fc
  .integer({ min: -10_000, max: 30_000 })
  .map((hundredths) => new Decimal(hundredths).div(100).toFixed());

/** Sends calls with a key and counts them; the price book must take the reported cost. */
export async function countBilled(
  { app, context }: TestService,
  owner: OwnerDatabase,
  secret: string,
  calls: readonly BilledCall[],
): Promise<void> {
  if (calls.length === 0) return;
  const answer = await app.inject({
    method: 'POST',
    url: '/v1/ereignisse',
    headers: { authorization: `Bearer ${secret}` },
    payload: {
      ereignisse: calls.map(({ month, endkunde, agent, day, usd, failed, abo }) => ({
        ereignis_id: randomUUID(),
        zeitpunkt: `${month}-${String(day).padStart(2, '0')}T10:00:00Z`,
        endkunde_ref: endkunde || null,
        agent,
        modell: `m-${agent}`,
        status: failed ? 'fehler' : 'erfolgreich',
        zusatz: { gemeldete_kosten_usd: usd, abonnement: abo },
      })),
    },
  });
  expect(answer.statusCode, answer.body).toBe(202);
  const counting = { db: owner, log: context.log, prices: createPriceList(), substituteRate: BILLED_RATE };
  await createCountingWorker(counting).drain();
}
