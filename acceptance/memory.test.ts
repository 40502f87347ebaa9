/** The service with the least memory it is said to need, database included: what it cannot take it refuses, and nothing is ended. */
import { mkdtempSync, rmSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { afterAll, expect, inject, test } from 'vitest';
import { LEAST_MEMORY } from '#platform/memory.ts';
import { copyData } from '#test/data-template.ts';
import { makeMemoryGroup } from '#test/memory-group.ts';
import { type Account, createAccount } from '#test/outside-account.ts';
import { createServiceProcess } from '#test/service-process.ts';

const SENDERS = 12;
const BATCHES_OF_EACH = 6;
/** Refused so often, a batch would not be taken at all. */
const PATIENCE = 200;

const group = makeMemoryGroup(LEAST_MEMORY);
// On the disk: files in memory would be counted as the service's own.
const dataDir = mkdtempSync('/var/tmp/zw-speicher-');
copyData(inject('dataTemplate'), dataDir);
const service = createServiceProcess({ DATA_DIR: dataDir });
afterAll(async () => {
  await service.dispose();
  rmSync(dataDir, { recursive: true, force: true });
  await group?.remove();
});

/** Batches of 1 to 5,000 events, every second one packed. */
const bodies = [1, 40, 700, 1_500, 2_500, 3_500, 5_000, 5_000].map((size, index) => {
  const events = Array.from({ length: size }, (_, number) => ({
    agent: `agent-${number % 200}`,
    endkunde_ref: `kunde-${(number * 7) % 500}`,
    modell: ['gpt-4o', 'gpt-4o-mini', 'claude-sonnet-4-5'][number % 3],
    eingabe_token: number,
    lauf_id: `018f3c0e-7b1a-7c3e-9f43-${String(number % 2_000).padStart(12, '0')}`,
    zusatz: { notiz: 'frei '.repeat(6) },
  }));
  const text = JSON.stringify({ ereignisse: events });
  const packed = index % 2 === 0;
  return {
    size,
    body: new Uint8Array(packed ? gzipSync(text) : Buffer.from(text)),
    headers: (packed ? { 'content-encoding': 'gzip' } : {}) as Record<string, string>,
  };
});

/** Sends what is taken in the end; resolves with the number of events. */
async function sendAll(account: Account, from: number): Promise<number> {
  let events = 0;
  for (let number = 0; number < BATCHES_OF_EACH; number += 1) {
    const { size, body, headers } = bodies[(from + number) % bodies.length] as (typeof bodies)[number];
    for (let tries = 0; ; tries += 1) {
      const { status, text } = await account.post(body, headers);
      if (status === 202) break;
      expect([429, 503], text).toContain(status);
      expect(tries).toBeLessThan(PATIENCE);
      await delay(200);
    }
    events += size;
  }
  return events;
}

test.skipIf(group === null)(
  'much at once from two Mandanten is counted with the least memory, and the system ends nothing',
  async () => {
    await group?.within(() => service.start());
    const accounts = [await createAccount(service), await createAccount(service)] as const;
    const sums = [0, 0];
    await Promise.all(
      Array.from({ length: SENDERS }, async (_, sender) => {
        const mine = sender % 2;
        const sent = await sendAll(accounts[mine as 0 | 1], sender);
        sums[mine] = (sums[mine] as number) + sent;
      }),
    );
    for (const [index, account] of accounts.entries()) {
      await account.untilNothingWaits(600_000);
      expect(await account.counted()).toBe(sums[index]);
    }
    expect(group?.killed()).toBe(0);
    expect(service.errors()).toEqual([]);
  },
  900_000,
);
