import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { decide, type Vorhaben } from './decide.ts';
import { Runs } from './runs.ts';
import { eingriff } from './test-eingriff.ts';

const NOW = Date.parse('2026-01-02T00:00:00Z');
const [ROOT, CHILD, GRANDCHILD, OTHER] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()] as const;
const call = (lauf_id: string | null, begunFrom?: string): Vorhaben => ({
  agent: 'a',
  lauf_id,
  ...(begunFrom === undefined ? {} : { zusatz: { eltern_lauf: begunFrom } }),
});

test('a run begins when it is first seen, or when its caller says', () => {
  const runs = new Runs();
  expect(runs.see(call(null), null, NOW)).toBeNull();
  expect(runs.see(call(ROOT), null, NOW)?.beganAt).toBe(NOW);
  expect(runs.see(call(ROOT.toUpperCase()), null, NOW + 5)?.beganAt).toBe(NOW);
  expect(runs.see(call(ROOT), NOW - 9, NOW + 5)?.beganAt).toBe(NOW - 9);
});

test('a run obeys what is ordered of the runs it was begun from', () => {
  const runs = new Runs();
  const order = eingriff({ objekt_art: 'lauf', objekt: ROOT.toUpperCase(), stufe: 'anhalten' });
  const forbidden = (asked: Vorhaben) =>
    decide([order], asked, runs.see(asked, null, NOW), NOW).forbids !== null;
  expect(forbidden(call(ROOT))).toBe(true);
  expect(forbidden(call(CHILD, ROOT))).toBe(true);
  expect(forbidden(call(GRANDCHILD, CHILD))).toBe(true);
  // Said once is enough.
  expect(forbidden(call(GRANDCHILD))).toBe(true);
  expect(forbidden(call(OTHER))).toBe(false);
  expect(forbidden(call(OTHER, OTHER))).toBe(false);
});

test('runs that name each other come to an end', () => {
  const runs = new Runs();
  runs.see(call(ROOT, CHILD), null, NOW);
  expect(runs.see(call(CHILD, ROOT), null, NOW)?.above).toHaveLength(1);
});
