/** The measurement of docs/protection.md, on little: the same calls every time, as the real service takes them. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startService, type TestService } from '#test/service.ts';
import { ordinaryCalls } from './ordinary/agents.ts';
import { ordinaryTable } from './ordinary-table.ts';
import { HOUR } from './planned.ts';
import { allReports } from './reports/all.ts';
import { isInTime, playReport } from './reports-table.ts';
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

test('of a day of ordinary agents one finding makes a person curse, and none is stopped', async () => {
  const seldom = { sendEvery: 2 * HOUR, atMost: 100, lookEvery: 8 * HOUR };
  const table = await ordinaryTable(stage, 'one', 1, seldom);
  const cursed = Object.entries(table.rules).filter(([, rule]) => rule.cursed > 0);
  // A long session of a coding agent is one of its 200 calls and more.
  expect(cursed.map(([typ, rule]) => [typ, rule.cursed])).toEqual([['lauf_deckel', 1]]);
  expect(table).toMatchObject({ runsStopped: 0, agentsStopped: 0 });
}, 120_000);

/** By the beginning of their names, and what becomes of each: one of every kind, and as much of it as that takes. */
const ENDS = {
  'claude-code#30150: one tool that fails': { order: 'anhalten', rules: ['schleife_exakt'] },
  'claude-code#30150: the same, the error': { order: 'anhalten', rules: ['zyklus'] },
  'claude-code#24179': { order: 'anhalten', rules: ['verdichtung'] },
  'OpenHands#7960': { order: null, rules: ['pingpong'] },
  'thinking spiral': { order: null, rules: ['leerlauf'] },
  'buzz#5557': { order: 'drosseln', rules: ['fehlerbrand', 'wiederholsturm'] },
  'crewAI#330, #6414: delegation to and fro, a run each': { order: 'anhalten', rules: ['rekursion'] },
  'n8n#37779': { order: null, rules: ['neustart'] },
};
const MOST_CALLS = 45;

test.each(Object.entries(ENDS))(
  'a runaway is stopped or told in time: %s',
  async (name, expected) => {
    const report = allReports('one').find((each) => each.name.startsWith(name));
    if (!report) throw new Error(`there is no ${name}`);
    const outcome = await playReport(stage, { ...report, calls: report.calls.slice(0, MOST_CALLS) });
    expect(outcome).toMatchObject(expected);
    expect(isInTime(outcome)).toBe(true);
  },
  60_000,
);
