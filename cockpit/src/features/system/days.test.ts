import { expect, test } from 'vitest';
import { stateOf, summaryOf, tenThousandths } from './days.ts';

const day = (tag: string, ok: number, limited = 0, broken = 0) => ({
  tag,
  ok_sekunden: ok,
  eingeschraenkt_sekunden: limited,
  gestoert_sekunden: broken,
  unbekannt_sekunden: 86_400 - ok - limited - broken,
});

test('a day is what was worst in it, and unknown where nobody looked', () => {
  expect(stateOf(day('a', 86_399, 0, 1))).toBe('broken');
  expect(stateOf(day('a', 1, 1))).toBe('limited');
  expect(stateOf(day('a', 1))).toBe('ok');
  expect(stateOf(day('a', 0))).toBe('unknown');
});

test('all days together', () => {
  const days = [
    day('2026-05-01', 0),
    day('2026-05-02', 80_000, 400),
    day('2026-05-03', 5, 0, 5),
    day('2026-05-04', 10),
  ];
  expect(summaryOf(days)).toEqual({
    known: 80_420,
    ok: 80_015,
    disturbed: 2,
    lastDisturbed: '2026-05-03',
    unknown: 1,
  });
});

test.each([
  [1, 1, 10_000],
  [999_999, 1_000_000, 9_999],
  [1, 1_000_000, 1],
  [0, 5, 0],
  [1, 3, 3_333],
])('%i of %i', (part, whole, share) => {
  expect(tenThousandths(part, whole)).toBe(share);
});
