/** The measurement of docs/protection.md, on little: the same calls every time, as the real service takes them. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startService, type TestService } from '#test/service.ts';
import { ordinaryCalls } from './ordinary/agents.ts';
import { allReports } from './reports/all.ts';
import { playReport } from './reports-table.ts';
import { createStage, type Stage } from './stage.ts';

let service: TestService;
let stage: Stage;
beforeAll(async () => {
  service = await startService();
  stage = createStage(service, 2);
});
afterAll(async () => {
  await stage.stop();
  await service.stop();
});

describe('streams', () => {
  test('are the same with the same seed, and others with another', () => {
    const one = ordinaryCalls('one', 1);
    expect(ordinaryCalls('one', 1)).toEqual(one);
    expect(one.length).toBeGreaterThan(1_500);
    expect(new Set(one.map(({ event }) => event.agent))).toHaveLength(21);
    const [first] = ordinaryCalls('another', 1);
    expect(first?.event.ereignis_id).not.toBe(one[0]?.event.ereignis_id);
  });

  test('name each call once, in the order of time', () => {
    for (const { calls, evident } of allReports('one')) {
      expect(new Set(calls.map(({ event }) => event.ereignis_id))).toHaveLength(calls.length);
      expect(calls.map(({ at }) => at)).toEqual(calls.map(({ at }) => at).sort((a, b) => a - b));
      expect(evident).toBeLessThan(calls.length);
    }
  });
});

test('a loop of a client that asks before each call is stopped', async () => {
  const [loop] = allReports('one');
  const outcome = await playReport(stage, loop as NonNullable<typeof loop>);
  expect(outcome).toMatchObject({ planned: 120, order: 'anhalten', verdict: 'stopped' });
  expect(outcome.made).toBeLessThan(16);
});
