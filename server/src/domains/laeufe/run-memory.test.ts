import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { type RunChange, RunMemory } from './run-memory.ts';
import type { Step } from './run-state.ts';

const MANDANT = randomUUID();
const OTHER = randomUUID();
const PLENTY = 2 ** 20;

const step = (schritt: number): Step => ({
  schritt,
  zeit: schritt,
  ereignisId: BigInt(schritt),
  prompt: 7n,
  werkzeug: 1n,
  modell: 1,
  eingabe: 10,
  ohneCacheLesen: 10,
  usd: 1n,
  failed: false,
  geschaetzt: false,
  geleitet: false,
});
const FACTS = { agent: 'a', projekt: 'p', endkunde: null, eur: 5n };
const calls = (
  lauf: string,
  numbers: number[],
  aufrufe: number,
  more: Partial<RunChange> = {},
): RunChange => ({
  ...FACTS,
  lauf,
  steps: numbers.map(step),
  aufrufe,
  fassung: 0,
  ...more,
});

let memory: RunMemory;
let lauf: string;
beforeEach(() => {
  memory = new RunMemory(PLENTY);
  lauf = randomUUID();
});

describe('a run', () => {
  test('is advanced by what is counted, with its cost and its first facts', () => {
    memory.advance(MANDANT, calls(lauf, [1, 2], 2));
    memory.advance(MANDANT, calls(lauf, [3], 3, { agent: 'b', endkunde: 'k', eur: null }));
    expect(memory.read(MANDANT, lauf)).toMatchObject({
      ...{ agent: 'a', projekt: 'p', endkunde: 'k', eur: 5n, aufrufe: 3 },
      state: { calls: 3, stale: false, streak: { length: 3 } },
    });
    expect(memory.isDue(MANDANT, lauf, 0)).toBe(false);
  });

  test("is the Mandant's own", () => {
    memory.advance(MANDANT, calls(lauf, [1, 2], 2));
    expect(memory.read(OTHER, lauf)).toBeNull();
    memory.forget(OTHER, lauf);
    expect(memory.read(MANDANT, lauf)?.aufrufe).toBe(2);
  });

  test.each([
    ['was not counted here before', (of: string) => calls(of, [9], 9)],
    ['has changed in what was counted before', (of: string) => calls(of, [3], 3, { fassung: 1 })],
  ])('that %s is to be read anew', (_what, change) => {
    memory.advance(MANDANT, calls(lauf, [1, 2], 2));
    memory.advance(MANDANT, change(lauf));
    expect(memory.read(MANDANT, lauf)?.state.stale).toBe(true);
    expect(memory.isDue(MANDANT, lauf, 0)).toBe(true);
  });

  test('that nobody remembers is to be read anew', () => {
    expect(memory.isDue(MANDANT, lauf, 0)).toBe(true);
  });

  test('whose calls come out of order is read anew as often as it is worth', () => {
    memory.advance(MANDANT, calls(lauf, [2], 1));
    memory.advance(MANDANT, calls(lauf, [1], 2));
    expect(memory.isDue(MANDANT, lauf, 0)).toBe(true);
    const whole = memory.read(MANDANT, lauf);
    if (!whole) throw new Error('it is not remembered');
    memory.remember(MANDANT, lauf, { ...whole, state: { ...whole.state, stale: false }, fassung: 0 }, 1_000);
    expect(memory.isDue(MANDANT, lauf, 9_999)).toBe(false);
    memory.advance(MANDANT, calls(lauf, [0], 3));
    expect([1_299, 1_300].map((now) => memory.isDue(MANDANT, lauf, now))).toEqual([false, true]);
  });

  test('that counting has advanced meanwhile is not set back', () => {
    memory.advance(MANDANT, calls(lauf, [1, 2, 3], 3));
    const whole = memory.read(MANDANT, lauf);
    if (!whole) throw new Error('it is not remembered');
    memory.remember(MANDANT, lauf, { ...whole, aufrufe: 2, fassung: 0 }, 0);
    expect(memory.read(MANDANT, lauf)?.aufrufe).toBe(3);
  });

  test('is forgotten where it is behind, or has changed', () => {
    memory.advance(MANDANT, calls(lauf, [1, 2], 2));
    memory.forgetUnless(MANDANT, lauf, { aufrufe: 1, fassung: 0 });
    expect(memory.read(MANDANT, lauf)).not.toBeNull();
    memory.forgetUnless(MANDANT, lauf, { aufrufe: 3, fassung: 0 });
    expect(memory.read(MANDANT, lauf)).toBeNull();
    memory.advance(MANDANT, calls(lauf, [1, 2], 2));
    memory.forgetUnless(MANDANT, lauf, { aufrufe: 2, fassung: 1 });
    expect(memory.read(MANDANT, lauf)).toBeNull();
  });
});

test('those that changed last are remembered, as many as there is room for', () => {
  const small = new RunMemory(40_000);
  const runs = Array.from({ length: 200 }, () => randomUUID());
  for (const each of runs) small.advance(MANDANT, calls(each, [1], 1));
  const remembered = runs.map((each) => small.read(MANDANT, each) !== null);
  expect(remembered[0]).toBe(false);
  expect(remembered.at(-1)).toBe(true);
  const many = remembered.filter(Boolean).length;
  expect(many).toBeGreaterThan(30);
  expect(many).toBeLessThan(80);
  // One that goes on is not let go.
  const steady = runs.at(-1) as string;
  for (let at = 2; at < 200; at += 1) {
    small.advance(MANDANT, calls(steady, [at], at));
    small.advance(MANDANT, calls(randomUUID(), [1], 1));
  }
  expect(small.read(MANDANT, steady)).toMatchObject({ aufrufe: 199, state: { stale: false } });
});

test('runs that go on by turns are all remembered where there is room for them, and what is let go makes room for others', () => {
  const room = new RunMemory(250_000);
  for (let round = 0; round < 3; round += 1) {
    const runs = Array.from({ length: 100 }, () => randomUUID());
    for (let at = 1; at <= 30; at += 1) for (const each of runs) room.advance(MANDANT, calls(each, [at], at));
    for (const each of runs)
      expect(room.read(MANDANT, each)).toMatchObject({ aufrufe: 30, state: { stale: false, calls: 30 } });
  }
});

test('states of any lengths stay what they are, whatever comes and goes beside them', () => {
  const small = new RunMemory(60_000);
  const last = new Map<string, number>();
  const runs = Array.from({ length: 60 }, () => randomUUID());
  for (let turn = 0; turn < 4_000; turn += 1) {
    const each = runs[(turn * 7 + (turn % 11)) % runs.length] as string;
    const before = small.read(MANDANT, each) ? (last.get(each) ?? 0) : 0;
    if (turn % 13 === 0) small.forget(MANDANT, each);
    const from = turn % 13 === 0 ? 0 : before;
    const numbers = Array.from({ length: 1 + (turn % 4) }, (_, at) => from + at + 1);
    small.advance(MANDANT, calls(each, numbers, from + numbers.length));
    last.set(each, from + numbers.length);
  }
  const remembered = runs.flatMap((each) => {
    const run = small.read(MANDANT, each);
    return run ? [{ run, aufrufe: last.get(each) as number }] : [];
  });
  expect(remembered.length).toBeGreaterThan(10);
  for (const { run, aufrufe } of remembered) {
    const kept = run.state.recent.map(({ schritt }) => schritt);
    expect(run).toMatchObject({ aufrufe, state: { calls: aufrufe, stale: false } });
    expect(kept).toEqual(Array.from({ length: kept.length }, (_, at) => aufrufe - kept.length + at + 1));
  }
});
