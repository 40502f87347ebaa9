import fc from 'fast-check';
import { expect, test } from 'vitest';
import { LEAST_DAYS_KEPT } from '#platform/config.ts';
import { acceptFrom, daysKept, removableBefore } from './rules.ts';

test.each([
  [null, [90], null],
  ['tarif', [], null],
  ['tarif', [90, 400], 400],
  ['tarif', [90, null], null],
  ['tarif', [30], LEAST_DAYS_KEPT],
  [400, [90, null], 400],
] as const)('keeps by %s where packages say %j: %s days', (retention, packages, days) => {
  expect(daysKept(retention, packages)).toBe(days);
});

test.each([
  ['2026-11-23T10:00:00Z', 400, null, '2025-10-01T00:00:00Z'],
  ['2026-03-31T23:59:59Z', 92, null, '2025-12-01T00:00:00Z'],
  ['2026-11-23T10:00:00Z', null, null, null],
  // What is gone does not come back, however long is kept from now on.
  ['2026-11-23T10:00:00Z', null, '2026-01-01T00:00:00Z', '2026-02-01T00:00:00Z'],
  ['2026-11-23T10:00:00Z', 400, '2026-01-01T00:00:00Z', '2026-02-01T00:00:00Z'],
  ['2026-11-23T10:00:00Z', 400, '2025-01-01T00:00:00Z', '2025-10-01T00:00:00Z'],
] as const)('at %s with %s days and events from %s on accepts from %s', (now, days, removed, from) => {
  expect(acceptFrom(days, removed, new Date(now))).toBe(from);
});

test('at least this many days are accepted, at most a month more; what is removed lies a month before that', () => {
  const now = fc.date({
    min: new Date('2000-01-01T00:00:00Z'),
    max: new Date('2100-01-01T00:00:00Z'),
    noInvalidDate: true,
  });
  fc.assert(
    fc.property(now, fc.integer({ min: LEAST_DAYS_KEPT, max: 4_000 }), (at, days) => {
      const from = acceptFrom(days, null, at) as string;
      const kept = (at.getTime() - Date.parse(from)) / 86_400_000;
      expect(kept).toBeGreaterThanOrEqual(days);
      expect(kept).toBeLessThan(days + 31);
      const removable = removableBefore(from);
      expect(acceptFrom(null, removable, at)).toBe(from);
      expect(from).toMatch(/-01T00:00:00Z$/);
    }),
  );
});
