import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { disturbancesOf, lastDays, lineOf, type Seen, type Span, sharesOf, sinceWhen } from './history.ts';

const seen = (status: Seen, from: number, to: number): Span => ({ status, from, to });

const STATES = ['ok', 'eingeschränkt', 'gestört'] as const;
const anySpan = fc
  .record({ status: fc.constantFrom(...STATES), from: fc.nat(400), length: fc.nat(120) })
  .map(({ status, from, length }) => seen(status, from, from + length));
const anySpans = fc.array(anySpan, { maxLength: 40 });

/** What holds at a second, by looking at every span. */
const worstAt = (spans: Span[], second: number): Seen | null =>
  STATES.toReversed().find((status) =>
    spans.some((span) => span.status === status && span.from <= second && second < span.to),
  ) ?? null;

describe('the line of time', () => {
  test('has at every second the worst of what was seen, in order and without overlaps', () => {
    fc.assert(
      fc.property(anySpans, (spans) => {
        const line = lineOf(spans);
        for (let second = 0; second < 540; second += 1)
          expect(worstAt(line, second), String(second)).toBe(worstAt(spans, second));
        for (const [index, { status, from, to }] of line.entries()) {
          const before = line[index - 1];
          expect(from).toBeLessThan(to);
          if (before) expect(from).toBeGreaterThanOrEqual(before.to);
          if (before?.to === from) expect(before.status).not.toBe(status);
        }
      }),
    );
  });

  test('is the same by whichever observer first, and once more', () => {
    fc.assert(
      fc.property(anySpans, (spans) => {
        const line = lineOf(spans);
        expect(lineOf(spans.toReversed())).toEqual(line);
        expect(lineOf([...spans, ...line])).toEqual(line);
      }),
    );
  });
});

const SHARE_OF: Record<string, 'ok' | 'limited' | 'broken'> = {
  ok: 'ok',
  eingeschränkt: 'limited',
  gestört: 'broken',
};

/** Counts the seconds of each state one by one. */
function countSeconds(spans: Parameters<typeof worstAt>[0], from: number, to: number) {
  const counted = { ok: 0, limited: 0, broken: 0, unknown: 0 };
  for (let second = from; second < to; second += 1)
    counted[SHARE_OF[worstAt(spans, second) ?? ''] ?? 'unknown'] += 1;
  return counted;
}

describe('days', () => {
  test('the seconds of all states of a day add up to what is over of it, and are those of the line', () => {
    fc.assert(
      fc.property(anySpans, fc.nat(520), fc.integer({ min: 1, max: 90 }), (spans, now, length) => {
        const days = Array.from({ length: 6 }, (_, index) => ({
          tag: String(index),
          from: index * length,
          to: (index + 1) * length,
        }));
        for (const [index, shares] of sharesOf(lineOf(spans), days, now).entries()) {
          const [from, to] = [index * length, Math.min((index + 1) * length, now)];
          expect(shares).toEqual(countSeconds(spans, from, to));
          expect(shares.ok + shares.limited + shares.broken + shares.unknown).toBe(Math.max(0, to - from));
        }
      }),
    );
  });

  test('are those of the zone: one has 23 hours, one 25, and they leave nothing out', () => {
    const days = lastDays(new Date('2026-11-02T12:00:00Z'), 'Europe/Berlin', 90);
    expect(days).toHaveLength(90);
    expect(days.at(-1)).toMatchObject({ tag: '2026-11-02', from: Date.UTC(2026, 10, 1, 23) / 1_000 });
    expect(days.find(({ tag }) => tag === '2026-10-25')).toMatchObject({
      from: Date.UTC(2026, 9, 24, 22) / 1_000,
      to: Date.UTC(2026, 9, 25, 23) / 1_000,
    });
    for (const [index, day] of days.entries()) if (index > 0) expect(day.from).toBe(days[index - 1]?.to);
    const spring = lastDays(new Date('2026-03-29T12:00:00Z'), 'Europe/Berlin', 1)[0];
    expect((spring?.to ?? 0) - (spring?.from ?? 0)).toBe(23 * 3_600);
  });
});

test('disturbances that follow each other closely are one, as bad as the worst of them', () => {
  const line = lineOf([
    seen('ok', 0, 100),
    seen('eingeschränkt', 100, 110),
    seen('gestört', 110, 130),
    seen('ok', 130, 190),
    seen('eingeschränkt', 190, 200),
    seen('ok', 200, 300),
    seen('eingeschränkt', 300, 301),
  ]);
  expect(disturbancesOf(line)).toEqual([
    { ...seen('gestört', 100, 200), broken: 20 },
    { ...seen('eingeschränkt', 300, 301), broken: 0 },
  ]);
  expect(disturbancesOf([])).toEqual([]);
});

describe('since when', () => {
  const line = lineOf([seen('gestört', 0, 100), seen('ok', 100, 500), seen('ok', 700, 1_000)]);
  test.each([
    ['ok', 1_000, 100],
    ['ok', 1_200, 100],
    ['ok', 1_301, null],
    ['gestört', 1_000, null],
    ['gestört', 100, 0],
    ['ok', 400, 100],
  ] as const)('%s at %i: %j', (status, now, since) => {
    expect(sinceWhen(line, status, now)).toBe(since);
  });

  test('a stop of more than five minutes ends it', () => {
    expect(sinceWhen(lineOf([seen('ok', 0, 100), seen('ok', 401, 500)]), 'ok', 500)).toBe(401);
    expect(sinceWhen(lineOf([seen('ok', 0, 100), seen('ok', 400, 500)]), 'ok', 500)).toBe(0);
  });
});
